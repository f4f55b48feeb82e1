import type { Clock } from '@watchpost/shared/clock';
import type { Database, ListPage } from '../../platform/db/database.js';
import { decideNextDue, type ReportKind } from './decide-due-period.js';
import type { ReportScheduleView } from './report-schemas.js';
import { reportSubjectStore, type ScheduledMonitor, type ScheduleQuery } from './report-subject-store.js';

/** Monitors of the workspace by name, with what is sent of them, when and to whom. */
export async function listReportSchedules(
  { db, clock }: { db: Database; clock: Clock },
  workspaceId: string,
  query: ScheduleQuery,
): Promise<ListPage<ReportScheduleView>> {
  return db.read(async (tx) => {
    const { items: rows, total } = await reportSubjectStore.schedules(workspaceId, tx, query);
    const workspace = await reportSubjectStore.workspace(workspaceId, tx);
    return { items: rows.map((row) => describeSchedule(row, workspace, clock.now())), total };
  });
}

function describeSchedule(
  { monitorId, monitorName, isWatched, readers, readerCount, ...kinds }: ScheduledMonitor,
  { timezone, ownerEmail }: { timezone: string; ownerEmail: string | null },
  nowMs: number,
): ReportScheduleView {
  const nextOf = (kind: ReportKind) =>
    isWatched && kinds[kind] ? new Date(decideNextDue(kind, timezone, nowMs)).toISOString() : null;
  const isToOwner = readerCount === 0;
  const recipients = isToOwner && ownerEmail !== null ? [ownerEmail] : readers;
  return {
    monitorId,
    monitorName,
    next: { daily: nextOf('daily'), weekly: nextOf('weekly'), monthly: nextOf('monthly') },
    recipients,
    recipientCount: isToOwner ? recipients.length : readerCount,
    isToOwner,
  };
}
