import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { startOfDay } from '../../data/days.js';

/** The periods that are offered, in days. */
export const PERIODS = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'custom', label: 'From … to …' },
] as const;

export interface ReportChoice {
  monitorId: string;
  /** One of `PERIODS`. */
  period: string;
  /** Days as `YYYY-MM-DD` in the viewer's zone, for `custom`; '' for none. */
  from: string;
  to: string;
}

export function readChoice(query: URLSearchParams): ReportChoice {
  const period = query.get('period') ?? '7';
  return {
    monitorId: query.get('monitor') ?? '',
    period: PERIODS.some(({ value }) => value === period) ? period : '7',
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
  };
}

/** @returns the period in ISO 8601; undefined while a day is missing, or is none */
export function boundsOf(
  { period, from, to }: ReportChoice,
  nowMs: number,
): { startDate: string; endDate: string } | undefined {
  const [startMs, endMs] =
    period === 'custom'
      ? [Date.parse(startOfDay(from)), Date.parse(startOfDay(to, 1))]
      : // Whole minutes, so that looking again shows the same document for a while.
        [floorMinute(nowMs) - Number(period) * DAY_MS, floorMinute(nowMs)];
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs)) return undefined;
  return { startDate: new Date(startMs).toISOString(), endDate: new Date(Math.min(endMs, nowMs)).toISOString() };
}

function floorMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
