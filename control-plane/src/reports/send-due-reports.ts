import type { Logger } from 'pino';
import { enqueueMail, type OutgoingMail } from '../alerts/index.js';
import type { ReportDeps } from '../results/index.js';
import { decideDuePeriod, type DuePeriod, REPORT_KINDS, type ReportKind } from './decide-due-period.js';
import { generateReport } from './generate-report.js';
import { reportMail } from './report-mail.js';
import type { ReportView } from './report-schemas.js';
import { type ReportedMonitor, type ReportingWorkspace, sentReportStore } from './sent-report-store.js';

export interface DueReportDeps extends ReportDeps {
  logger: Logger;
  /** Without a slash at the end. */
  baseUrl: string;
}

const WORKSPACES_A_PAGE = 200;
/** Of a workspace, in one mail: beyond these a mail is nobody's reading. The rest is told as a number. */
const MAX_MONITORS = 50;

/**
 * Sends the daily, weekly and monthly reports that are due: one mail a reader, with all the monitors that the reader
 * hears of. What is sent is written with the mails, so that nothing is sent twice, whatever restarts in between.
 * @returns how many mails were handed over
 */
export async function sendDueReports(deps: DueReportDeps): Promise<number> {
  let mails = 0;
  let afterId: string | null = null;
  for (;;) {
    const page: ReportingWorkspace[] = await deps.db.read((tx) =>
      sentReportStore.workspaces(tx, afterId, WORKSPACES_A_PAGE),
    );
    for (const workspace of page) {
      for (const kind of REPORT_KINDS) {
        const period = decideDuePeriod(kind, workspace.timezone, deps.clock.now());
        // One workspace that cannot be reported on must not keep the others from hearing.
        if (period)
          mails += await sendReport(deps, workspace, kind, period).catch((error: unknown) => {
            deps.logger.error({ err: error, workspaceId: workspace.id, kind }, 'a report could not be made');
            return 0;
          });
      }
    }
    afterId = page.at(-1)?.id ?? null;
    if (page.length < WORKSPACES_A_PAGE) return mails;
  }
}

async function sendReport(
  deps: DueReportDeps,
  workspace: ReportingWorkspace,
  kind: ReportKind,
  period: DuePeriod,
): Promise<number> {
  const { db, clock } = deps;
  const monitors = await db.read(async (tx) =>
    (await sentReportStore.isSent(workspace.id, tx, kind, period.starts))
      ? []
      : sentReportStore.monitors(workspace.id, tx, kind, MAX_MONITORS + 1),
  );
  if (monitors.length === 0) return 0;
  const bounds = { startDate: period.startMs, endDate: period.endMs };
  const reports = new Map<string, ReportView>();
  for (const { monitorId } of monitors.slice(0, MAX_MONITORS))
    reports.set(monitorId, await generateReport(deps, workspace.id, monitorId, bounds));
  const mails = mailsOf(deps, workspace, kind, monitors, reports);
  return db.transaction(async (tx) => {
    if (!(await sentReportStore.note(workspace.id, tx, kind, period.starts, new Date(clock.now())))) return 0;
    for (const mail of mails) await enqueueMail(deps, tx, workspace.id, mail);
    return mails.length;
  });
}

function mailsOf(
  deps: DueReportDeps,
  workspace: ReportingWorkspace,
  kind: ReportKind,
  monitors: readonly ReportedMonitor[],
  reports: ReadonlyMap<string, ReportView>,
): OutgoingMail[] {
  const readers = new Map<string, ReportView[]>();
  for (const { monitorId, readers: own } of monitors) {
    const report = reports.get(monitorId);
    const addresses = own.length > 0 ? own : workspace.ownerEmail === null ? [] : [workspace.ownerEmail];
    if (report) for (const address of addresses) readers.set(address, [...(readers.get(address) ?? []), report]);
  }
  const isCut = monitors.length > MAX_MONITORS;
  return [...readers].map(([to, own]) =>
    reportMail({ ...deps, to, kind, workspaceName: workspace.name, reports: own, isCut }),
  );
}
