import { invalidFields } from '@watchpost/shared/fault';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Range } from '../rollup/decide-bucket-plan.js';
import { HOURLY_DAYS, keptFrom } from '../rollup/retention.js';

/** Half-open, ms since the epoch. */
export type ReportPeriod = Range;

export interface RequestedPeriod {
  startDate?: number | undefined;
  endDate?: number | undefined;
}

/** A period that is ready, from an earlier reading, is read as it is. */
export type PeriodQuery = RequestedPeriod | ReportPeriod;

interface Now {
  nowMs: number;
  retentionDays: number;
}

/**
 * The period that a report covers: the requested one, or the last 24 hours. It ends now at the latest. Where only hours
 * or days are kept, a bound is moved outwards to a whole hour or day (UTC).
 * @throws Fault validation_failed where the period lies in the future or is too long
 */
export function reportPeriod(query: PeriodQuery, now: Now): ReportPeriod {
  if ('startMs' in query) return { startMs: query.startMs, endMs: query.endMs };
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
  if (details.length > 0) throw invalidFields(details);
  return roundPeriod({ startMs, endMs }, now);
}

/** The period of the same length before one that is ready. */
export function periodBefore({ startMs, endMs }: ReportPeriod, now: Now): ReportPeriod {
  return roundPeriod({ startMs: startMs - (endMs - startMs), endMs: startMs }, now);
}

/** A period that is rounded twice may grow twice: data of its new start may be kept in days only. */
function roundPeriod({ startMs, endMs }: ReportPeriod, now: Now): ReportPeriod {
  return {
    startMs: Math.floor(startMs / resolutionMs(startMs, now)) * resolutionMs(startMs, now),
    endMs: Math.min(now.nowMs, Math.ceil(endMs / resolutionMs(endMs, now)) * resolutionMs(endMs, now)),
  };
}

/** The resolution at which data of a moment is kept, ms. */
function resolutionMs(atMs: number, now: Now): number {
  const { rowsFromMs, hoursFromMs } = keptFrom(now);
  if (atMs < hoursFromMs) return DAY_MS;
  return atMs < rowsFromMs ? HOUR_MS : 1;
}
