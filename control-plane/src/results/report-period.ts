import { Fault } from '@watchpost/shared/fault';
import { DAY_MS } from './partition-store.js';

export interface ReportPeriod {
  startMs: number;
  endMs: number;
}

/**
 * The period that a report covers: the last 24 hours, or what the caller names. It ends now at the latest,
 * because nobody has looked at the future yet.
 * @throws Fault validation_failed where it lies in the future or goes back further than results are kept
 */
export function reportPeriod(
  query: { startDate?: number | undefined; endDate?: number | undefined },
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): ReportPeriod {
  const endMs = Math.min(query.endDate ?? nowMs, nowMs);
  const startMs = query.startDate ?? endMs - DAY_MS;
  const details = [];
  if (startMs >= nowMs) details.push({ path: 'startDate', message: 'must lie in the past' });
  else if (startMs >= endMs) details.push({ path: 'endDate', message: 'must lie after startDate' });
  if (startMs < nowMs - retentionDays * DAY_MS - DAY_MS) {
    details.push({
      path: query.startDate === undefined ? 'endDate' : 'startDate',
      message: `must not go back further than the ${retentionDays} days for which results are kept`,
    });
  }
  if (details.length > 0)
    throw new Fault('validation_failed', 'The period cannot be reported on; see details.', details);
  return { startMs, endMs };
}
