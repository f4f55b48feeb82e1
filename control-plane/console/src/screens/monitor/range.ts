import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
/** A stretch of time that the screen shows, as its address has it. */
export interface Range {
  /** `custom` has both bounds. */
  name: RangeName;
  /** For the API. Without bounds: the last 24 hours. */
  query: { startDate?: string; endDate?: string };
  startMs: number;
  endMs: number;
  /** How many steps bars have. */
  steps: number;
}

/** `gridMs`: bounds move in steps of this length, so that the address of a request stays the same for a while. */
const NAMED = {
  '24h': { label: '24 h', lengthMs: DAY_MS, steps: 96, gridMs: 0 },
  '7d': { label: '7 d', lengthMs: 7 * DAY_MS, steps: 168, gridMs: HOUR_MS },
  '30d': { label: '30 d', lengthMs: 30 * DAY_MS, steps: 120, gridMs: 6 * HOUR_MS },
  '90d': { label: '90 d', lengthMs: 90 * DAY_MS, steps: 90, gridMs: DAY_MS },
  '1y': { label: '1 y', lengthMs: 365 * DAY_MS, steps: 122, gridMs: DAY_MS },
} as const;
type RangeName = keyof typeof NAMED | 'custom';

/** The choices, in their order. */
export const RANGES = Object.entries(NAMED).map(([name, { label }]) => ({ name: name as keyof typeof NAMED, label }));

const MOST_MS = 400 * DAY_MS;
const LEAST_MS = 60_000;
const CUSTOM_STEPS = 120;

/** @returns the range that an address names (`range=7d`, or `from=…&to=…`); the last 24 hours where it names none */
export function readRange(address: URLSearchParams, nowMs: number): Range {
  const [from, to] = [Date.parse(address.get('from') ?? ''), Date.parse(address.get('to') ?? '')];
  if (from < to) {
    const endMs = Math.min(to, nowMs);
    const startMs = Math.max(from, endMs - MOST_MS);
    if (endMs - startMs >= LEAST_MS) {
      const query = { startDate: new Date(startMs).toISOString(), endDate: new Date(endMs).toISOString() };
      const steps = Math.min(CUSTOM_STEPS, Math.floor((endMs - startMs) / LEAST_MS));
      return { name: 'custom', query, startMs, endMs, steps };
    }
  }
  const name = RANGES.find((each) => each.name === address.get('range'))?.name ?? '24h';
  const { lengthMs, steps, gridMs } = NAMED[name];
  if (gridMs === 0) return { name, query: {}, startMs: nowMs - lengthMs, endMs: nowMs, steps };
  // The step that has begun belongs to it.
  const startMs = (Math.floor(nowMs / gridMs) + 1) * gridMs - lengthMs;
  return { name, query: { startDate: new Date(startMs).toISOString() }, startMs, endMs: nowMs, steps };
}

/** Another range removes these from the address; the results begin on their first page. */
export const OTHER_RANGE = { range: undefined, from: undefined, to: undefined, page: undefined };

const wholeMinute = (ms: number) => new Date(Math.round(ms / LEAST_MS) * LEAST_MS).toISOString();

/** A stretch as a range, at least five minutes. */
export function exactly({ startMs, endMs }: { startMs: number; endMs: number }): { from: string; to: string } {
  return { from: wholeMinute(startMs), to: wholeMinute(Math.max(endMs, startMs + 5 * LEAST_MS)) };
}

/** What to look at for a closer view of a stretch: it with as much again on each side, in whole minutes. */
export function around(stretch: { startMs: number; endMs: number }): { from: string; to: string } {
  const length = Math.max(stretch.endMs - stretch.startMs, 5 * LEAST_MS);
  return exactly({ startMs: stretch.startMs - length, endMs: stretch.endMs + length });
}
