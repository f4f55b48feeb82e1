import { notFound } from '@watchpost/shared/fault';
import { answerHistoryStore } from './answer-history-store.js';
import { daysLeft, type CheckAnswer } from './check-answer.js';
import { checkScheduleStore } from './check-schedule-store.js';
import { describeSsl, NO_CERTIFICATE, type CheckSeen } from './describe-ssl.js';
import { historyPeriod, type HistoryQuery } from './history-period.js';
import type { ReportDeps } from '../reading/read-availability.js';
import type { SslResultView, SslStatusView } from './ssl-schemas.js';

/** The latest check of a monitor's certificate, from any region. @throws Fault not_found */
export async function readSslStatus(deps: ReportDeps, workspaceId: string, monitorId: string): Promise<SslStatusView> {
  return deps.db.read(async (tx) => {
    const monitor = await checkScheduleStore.find(workspaceId, tx, monitorId);
    if (!monitor) throw notFound('monitor');
    const row = await checkScheduleStore.sslStatus(workspaceId, tx, monitor.monitorKey);
    if (!row) return { monitorId, ...NO_CERTIFICATE };
    const { startedAtMs, region, message, answer } = row;
    return { monitorId, ...describeAnswer(answer, { checkedAtMs: startedAtMs, region, failureReason: message }) };
  });
}

/** Checks of a monitor's certificate from all regions, newest first. @throws Fault not_found */
export async function readSslHistory(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  query: HistoryQuery,
): Promise<{ items: SslStatusView[]; total: number }> {
  return deps.db.read(async (tx) => {
    const monitor = await checkScheduleStore.find(workspaceId, tx, monitorId);
    if (!monitor) throw notFound('monitor');
    const { monitorKey } = monitor;
    const { rows, total } = await answerHistoryStore.page(
      workspaceId,
      tx,
      { monitorKey, kind: 'ssl', ...historyPeriod(deps, query) },
      query,
    );
    const items = rows.map(({ content, startedAtMs, region, message }) => ({
      monitorId,
      ...describeAnswer(content, { checkedAtMs: startedAtMs, region, failureReason: message }),
    }));
    return { items, total };
  });
}

function describeAnswer(answer: CheckAnswer | null, seen: CheckSeen): SslResultView {
  if (answer?.kind !== 'ssl') return describeSsl(null, seen);
  return describeSsl({ ...answer, daysUntilExpiry: daysLeft(answer.validTo, seen.checkedAtMs) }, seen);
}
