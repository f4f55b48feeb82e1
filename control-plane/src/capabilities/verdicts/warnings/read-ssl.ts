import type { ListPage } from '../../../platform/db/database.js';
import { type CheckAnswer, daysLeft } from './check-answer.js';
import { checkScheduleStore } from './check-schedule-store.js';
import { type CheckContext, describeSsl, NO_CERTIFICATE } from './describe-ssl.js';
import { type CheckHistoryDeps, findChecked, type HistoryQuery, readCheckHistory } from './read-check-history.js';
import type { SslResultView, SslStatusView } from './ssl-schemas.js';

/** The latest check of a monitor's certificate, from any region. @throws Fault not_found */
export async function readSslStatus(
  deps: CheckHistoryDeps,
  workspaceId: string,
  monitorId: string,
): Promise<SslStatusView> {
  return deps.db.read(async (tx) => {
    const { monitorKey } = await findChecked(workspaceId, tx, monitorId);
    const row = await checkScheduleStore.sslStatus(workspaceId, tx, monitorKey);
    if (!row) return { monitorId, ...NO_CERTIFICATE };
    const { startedAtMs, region, message, answer } = row;
    return { monitorId, ...describeAnswer(answer, { checkedAtMs: startedAtMs, region, failureReason: message }) };
  });
}

/** Checks of a monitor's certificate from all regions, newest first. @throws Fault not_found */
export async function readSslHistory(
  deps: CheckHistoryDeps,
  workspaceId: string,
  monitorId: string,
  query: HistoryQuery,
): Promise<ListPage<SslStatusView>> {
  const { items: rows, total } = await readCheckHistory(deps, workspaceId, { monitorId, kind: 'ssl' }, query);
  const items = rows.map(({ content, startedAtMs, region, message }) => ({
    monitorId,
    ...describeAnswer(content, { checkedAtMs: startedAtMs, region, failureReason: message }),
  }));
  return { items, total };
}

function describeAnswer(answer: CheckAnswer | null, seen: CheckContext): SslResultView {
  if (answer?.kind !== 'ssl') return describeSsl(null, seen);
  return describeSsl({ ...answer, daysUntilExpiry: daysLeft(answer.validTo, seen.checkedAtMs) }, seen);
}
