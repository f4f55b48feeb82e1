import type { OutgoingMail } from '../../platform/mail/mailer.js';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Logger } from 'pino';
import { enqueueMail, type RecipientRules } from '../delivery/index.js';
import { admitMail } from '../recipients/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { ReportDeps } from '../figures/index.js';
import { decideDuePeriod, type DuePeriod, REPORT_KINDS, type ReportKind } from './decide-due-period.js';
import { generateReport } from './generate-report.js';
import { reportMail } from './report-mail.js';
import type { ReportView } from './report-schemas.js';
import { type ReportingWorkspace, sentReportStore } from './sent-report-store.js';

export interface DueReportDeps extends ReportDeps, RecipientRules {
  logger: Logger;
  /** Without a slash at the end. */
  baseUrl: string;
}

const WORKSPACES_A_PAGE = 200;
const MAX_MONITORS = 50;
/** Most recipients get the same monitors, so reports are cached for the next recipient. */
const REPORTS_KEPT = 2 * MAX_MONITORS;

/**
 * Sends the daily, weekly and monthly reports that are due: one mail per recipient with all of the recipient's monitors. The
 * sent reports are recorded in the transaction of the mails, so that none is sent twice.
 * @param signal once aborted, the workspaces that are left have to wait for the next call
 * @returns the number of enqueued mails
 */
export async function sendDueReports(deps: DueReportDeps, signal?: AbortSignal): Promise<number> {
  let mails = 0;
  let afterId: string | null = null;
  for (;;) {
    const page: ReportingWorkspace[] = await deps.db.read((tx) =>
      sentReportStore.workspaces(tx, afterId, WORKSPACES_A_PAGE),
    );
    for (const workspace of page) {
      if (signal?.aborted) return mails;
      for (const kind of REPORT_KINDS) {
        // A workspace that fails must not block the others.
        mails += await sendReport(deps, workspace, kind).catch((error: unknown) => {
          deps.logger.error({ err: error, workspaceId: workspace.id, kind }, 'a report could not be made');
          return 0;
        });
      }
    }
    afterId = page.at(-1)?.id ?? null;
    if (page.length < WORKSPACES_A_PAGE) return mails;
  }
}

async function sendReport(deps: DueReportDeps, workspace: ReportingWorkspace, kind: ReportKind): Promise<number> {
  const { db, clock } = deps;
  const period = decideDuePeriod(kind, workspace.timezone, clock.now());
  const readers = await db.read(async (tx) =>
    // One more than a mail contains shows that there are more.
    (await isOver(tx, workspace.id, kind, period))
      ? []
      : sentReportStore.readers(tx, workspace, kind, MAX_MONITORS + 1),
  );
  if (readers.length === 0) return 0;
  const bounds = { startDate: period.startMs, endDate: period.endMs };
  const made = new BoundedCache<string, ReportView>(REPORTS_KEPT);
  const reportOf = async (monitorId: string) => {
    const report = made.get(monitorId) ?? (await generateReport(deps, workspace.id, monitorId, bounds));
    made.set(monitorId, report);
    return report;
  };
  const mails: OutgoingMail[] = [];
  for (const { to, monitorIds } of readers) {
    const reports: ReportView[] = [];
    for (const monitorId of monitorIds.slice(0, MAX_MONITORS)) reports.push(await reportOf(monitorId));
    const isCut = monitorIds.length > MAX_MONITORS;
    mails.push(reportMail({ ...deps, to, kind, workspaceName: workspace.name, reports, isCut }));
  }
  return db.transaction(async (tx) => {
    if (!(await sentReportStore.note(workspace.id, tx, kind, period.starts, new Date(clock.now())))) return 0;
    let sent = 0;
    for (const mail of mails) {
      if (!(await admitMail(deps, tx, workspace.id, mail.to))) continue;
      await enqueueMail(deps, tx, workspace.id, mail);
      sent++;
    }
    return sent;
  });
}

/**
 * Whether the period needs no report, or no longer. After a downtime overdue reports are sent, so that the series of a
 * recipient has no gap; a recipient who subscribes within a period begins with the next one.
 */
async function isOver(tx: Tx, workspaceId: string, kind: ReportKind, period: DuePeriod): Promise<boolean> {
  if (await sentReportStore.isSent(workspaceId, tx, kind, period.starts)) return true;
  return period.isOverdue && !(await sentReportStore.isSentRegularly(workspaceId, tx, kind, period.starts));
}
