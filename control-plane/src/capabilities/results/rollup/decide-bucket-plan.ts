import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';

/** Half-open, ms since the epoch. */
export interface Range {
  startMs: number;
  endMs: number;
}

/** What of a monitor's rollups can be believed. */
export interface RollupState {
  /** Of hours that end after this only the rows count; null: of all. */
  closedUntilMs: number | null;
  /** Buckets whose rollup is not to be believed. */
  marks: readonly { startMs: number; isDay: boolean }[];
}

/** Where a period is read from: each moment of it in exactly one place, the coarsest that is right. */
export interface BucketPlan {
  days: Range[];
  hours: Range[];
  rows: Range[];
}

/** A statement names each range: so many, and then they are put together where that costs reading and no more. */
const MANY = 24;

export function decideBucketPlan({ startMs, endMs }: Range, state: RollupState, coarsest: 'hour' | 'day'): BucketPlan {
  const closedMs = Math.max(startMs, Math.min(endMs, state.closedUntilMs ?? startMs));
  const hours = whole({ startMs, endMs: closedMs }, HOUR_MS);
  const days = hours.flatMap((range) => (coarsest === 'day' ? whole(range, DAY_MS) : []));
  const dirty = (isHour: boolean, lengthMs: number): Range[] =>
    joined(
      state.marks
        .filter(({ isDay }) => !(isHour && isDay))
        .map(({ startMs: atMs }) => Math.floor(atMs / lengthMs) * lengthMs)
        .map((fromMs) => ({ startMs: fromMs, endMs: fromMs + lengthMs })),
    );
  let [dirtyDays, dirtyHours] = [dirty(false, DAY_MS), dirty(true, HOUR_MS)];
  if (dirtyDays.length + dirtyHours.length > MANY) [dirtyDays, dirtyHours] = [hull(dirtyDays), hull(dirtyHours)];
  const cleanDays = without(days, dirtyDays);
  const cleanHours = without(without(hours, cleanDays), dirtyHours);
  return { days: cleanDays, hours: cleanHours, rows: without(without([{ startMs, endMs }], cleanDays), cleanHours) };
}

/** The whole buckets in a range: one range, or none. */
function whole({ startMs, endMs }: Range, lengthMs: number): Range[] {
  const range = { startMs: Math.ceil(startMs / lengthMs) * lengthMs, endMs: Math.floor(endMs / lengthMs) * lengthMs };
  return range.startMs < range.endMs ? [range] : [];
}

function hull(ranges: readonly Range[]): Range[] {
  return ranges.length === 0 ? [] : [{ startMs: ranges[0]!.startMs, endMs: ranges.at(-1)!.endMs }];
}

/** In order, and those that touch or overlap made one. */
export function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = result.at(-1);
    if (last && range.startMs <= last.endMs) last.endMs = Math.max(last.endMs, range.endMs);
    else result.push({ ...range });
  }
  return result;
}

/** What is left of the ranges without the holes. Both in order and without overlaps. */
function without(ranges: readonly Range[], holes: readonly Range[]): Range[] {
  return ranges.flatMap(({ startMs, endMs }) => {
    const left: Range[] = [];
    let fromMs = startMs;
    for (const hole of holes) {
      if (hole.endMs <= fromMs || hole.startMs >= endMs) continue;
      if (hole.startMs > fromMs) left.push({ startMs: fromMs, endMs: hole.startMs });
      fromMs = hole.endMs;
    }
    if (fromMs < endMs) left.push({ startMs: fromMs, endMs });
    return left;
  });
}
