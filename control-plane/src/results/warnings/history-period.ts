import type { ReportDeps } from '../reading/read-availability.js';
import { DAY_MS } from '../ingest/partition-store.js';

export interface HistoryQuery {
  startDate?: number | undefined;
  endDate?: number | undefined;
  limit: number;
  offset: number;
}

/** All that is kept, or what the caller names of it. */
export function historyPeriod(
  { clock, retentionDays }: Pick<ReportDeps, 'clock' | 'retentionDays'>,
  { startDate, endDate }: Pick<HistoryQuery, 'startDate' | 'endDate'>,
): { from: Date; to: Date } {
  const oldestMs = clock.now() - (retentionDays + 1) * DAY_MS;
  return {
    from: new Date(Math.max(startDate ?? oldestMs, oldestMs)),
    to: new Date(endDate ?? clock.now() + DAY_MS),
  };
}
