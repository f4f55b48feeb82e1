import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';

/** Half-open, ms since the epoch. */
export interface Range {
  startMs: number;
  endMs: number;
}

export interface RollupState {
  /** Hours that end later have no rollup yet; null: no hour has one. */
  closedUntilMs: number | null;
  /** Buckets whose rollup does not contain all rows. */
  dirtyBuckets: readonly { startMs: number; isDay: boolean }[];
}

/** The sources of a period: each moment is in exactly one of them, the coarsest that contains all rows. */
export interface BucketPlan {
  days: Range[];
  hours: Range[];
  rows: Range[];
}

/** A statement contains one SELECT per range. With more dirty ranges than this, one range covers all of them. */
const MAX_DIRTY_RANGES = 24;

export function decideBucketPlan({ startMs, endMs }: Range, state: RollupState, coarsest: 'hour' | 'day'): BucketPlan {
  const closedMs = Math.max(startMs, Math.min(endMs, state.closedUntilMs ?? startMs));
  const hours = whole({ startMs, endMs: closedMs }, HOUR_MS);
  const days = hours.flatMap((range) => (coarsest === 'day' ? whole(range, DAY_MS) : []));
  const dirty = (isHour: boolean, lengthMs: number): Range[] =>
    joined(
      state.dirtyBuckets
        .filter(({ isDay }) => !(isHour && isDay))
        .map(({ startMs: atMs }) => Math.floor(atMs / lengthMs) * lengthMs)
        .map((fromMs) => ({ startMs: fromMs, endMs: fromMs + lengthMs })),
    );
  let [dirtyDays, dirtyHours] = [dirty(false, DAY_MS), dirty(true, HOUR_MS)];
  if (dirtyDays.length + dirtyHours.length > MAX_DIRTY_RANGES)
    [dirtyDays, dirtyHours] = [hull(dirtyDays), hull(dirtyHours)];
  const cleanDays = without(days, dirtyDays);
  const cleanHours = without(without(hours, cleanDays), dirtyHours);
  return { days: cleanDays, hours: cleanHours, rows: without(without([{ startMs, endMs }], cleanDays), cleanHours) };
}

/** The whole buckets of a range: one range, or none. */
function whole({ startMs, endMs }: Range, lengthMs: number): Range[] {
  const range = { startMs: Math.ceil(startMs / lengthMs) * lengthMs, endMs: Math.floor(endMs / lengthMs) * lengthMs };
  return range.startMs < range.endMs ? [range] : [];
}

function hull(ranges: readonly Range[]): Range[] {
  return ranges.length === 0 ? [] : [{ startMs: ranges[0]!.startMs, endMs: ranges.at(-1)!.endMs }];
}

/** Sorts the ranges and merges those that touch or overlap. */
export function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = result.at(-1);
    if (last && range.startMs <= last.endMs) last.endMs = Math.max(last.endMs, range.endMs);
    else result.push({ ...range });
  }
  return result;
}

/** Subtracts the holes from the ranges. Both are sorted and do not overlap. */
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
