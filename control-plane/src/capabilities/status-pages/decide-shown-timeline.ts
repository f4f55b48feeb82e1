import { alignTimeline, mergeTimelines, type TimelineSpan } from '../figures/index.js';

/** A timeline of a day with more changes than this is shown in steps. */
const MOST_SPANS = 144;
export const STEP_MS = 10 * 60_000;
/** Timelines merged in one slice of work. */
const MERGED_AT_ONCE = 10;

/** Exact where it changes seldom, otherwise in steps of ten minutes that each show their worst state. */
export function boundTimeline(timeline: readonly TimelineSpan[]): readonly TimelineSpan[] {
  return timeline.length <= MOST_SPANS ? timeline : alignTimeline(timeline, STEP_MS);
}

/** One bounded timeline of several bounded ones, in slices that each merge a few. The last value is the result. */
export function* mergeInSlices(
  timelines: readonly (readonly TimelineSpan[])[],
  startMs: number,
  endMs: number,
): Generator<readonly TimelineSpan[]> {
  let merged: readonly TimelineSpan[] = mergeTimelines(timelines.slice(0, MERGED_AT_ONCE), startMs, endMs);
  yield (merged = boundTimeline(merged));
  for (let next = MERGED_AT_ONCE; next < timelines.length; next += MERGED_AT_ONCE) {
    const more = timelines.slice(next, next + MERGED_AT_ONCE);
    yield (merged = boundTimeline(mergeTimelines([merged, ...more], startMs, endMs)));
  }
}
