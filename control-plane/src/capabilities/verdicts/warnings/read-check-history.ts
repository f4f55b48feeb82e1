import { notFound } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Clock } from '@watchpost/shared/clock';
import type { Database, ListPage, Tx } from '../../../platform/db/database.js';
import { answerHistoryStore, type HistoryRow } from './answer-history-store.js';
import { checkScheduleStore, type CheckSchedule } from './check-schedule-store.js';

export interface CheckHistoryDeps {
  db: Database;
  clock: Clock;
  retentionDays: number;
}

/** Without dates: all that is kept. */
export interface HistoryQuery {
  startDate?: number | undefined;
  endDate?: number | undefined;
  limit: number;
  offset: number;
}

/** A monitor of the workspace. @throws Fault not_found */
export async function findChecked(workspaceId: string, tx: Tx, monitorId: string): Promise<CheckSchedule> {
  const monitor = await checkScheduleStore.find(workspaceId, tx, monitorId);
  if (!monitor) throw notFound('monitor');
  return monitor;
}

/** What the checks of one kind read, in all regions, newest first. @throws Fault not_found */
export async function readCheckHistory(
  { db, clock, retentionDays }: CheckHistoryDeps,
  workspaceId: string,
  { monitorId, kind }: { monitorId: string; kind: 'dns' | 'ssl' },
  query: HistoryQuery,
): Promise<ListPage<HistoryRow> & { monitor: CheckSchedule }> {
  const nowMs = clock.now();
  const oldestMs = nowMs - (retentionDays + 1) * DAY_MS;
  const from = new Date(Math.max(query.startDate ?? oldestMs, oldestMs));
  const to = new Date(query.endDate ?? nowMs + DAY_MS);
  return db.read(async (tx) => {
    const monitor = await findChecked(workspaceId, tx, monitorId);
    const { monitorKey } = monitor;
    const list = await answerHistoryStore.list(workspaceId, tx, { monitorKey, kind, from, to }, query);
    return { monitor, ...list };
  });
}
