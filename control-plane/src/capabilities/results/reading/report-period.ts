import { Fault } from '@watchpost/shared/fault';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { type Range } from '../rollup/decide-bucket-plan.js';
import { HOURLY_DAYS, keptFrom } from '../rollup/retention.js';

/** Half-open, ms since the epoch. */
export type ReportPeriod = Range;

/**
 * The period that a report covers: the last 24 hours, or what the caller names. It ends now at the latest,
 * because nobody has looked at the future yet. A bound of which only hours or days are kept is moved outwards to a
 * whole one (UTC).
 * @throws Fault validation_failed where it lies in the future or is longer than reports are
 */
export function reportPeriod(
  query: { startDate?: number | undefined; endDate?: number | undefined },
  now: { nowMs: number; retentionDays: number },
): ReportPeriod {
  const { nowMs } = now;
  const endMs = Math.min(query.endDate ?? nowMs, nowMs);
  const startMs = query.startDate ?? endMs - DAY_MS;
  const details = [];
  if (startMs >= nowMs) details.push({ path: 'startDate', message: 'must lie in the past' });
  else if (startMs >= endMs) details.push({ path: 'endDate', message: 'must lie after startDate' });
  else if (startMs < 0)
    details.push({
      path: query.startDate === undefined ? 'endDate' : 'startDate',
      message: 'must not lie before 1970',
    });
  else if (endMs - startMs > HOURLY_DAYS * DAY_MS) {
    details.push({ path: 'startDate', message: `must not lie more than ${HOURLY_DAYS} days before endDate` });
  }
  if (details.length > 0)
    throw new Fault('validation_failed', 'The period cannot be reported on; see details.', details);
  return {
    startMs: Math.floor(startMs / kept(startMs, now)) * kept(startMs, now),
    endMs: Math.min(nowMs, Math.ceil(endMs / kept(endMs, now)) * kept(endMs, now)),
  };
}

/** The finest that is known of a moment, ms. */
function kept(atMs: number, now: { nowMs: number; retentionDays: number }): number {
  const { rowsFromMs, hoursFromMs } = keptFrom(now);
  if (atMs < hoursFromMs) return DAY_MS;
  return atMs < rowsFromMs ? HOUR_MS : 1;
}
