import { DAY_MS } from '@watchpost/shared/time';
import { decideOccurrences, type Occurrence, type WindowSchedule } from './decide-occurrences.js';

/** How far ahead occurrences are stored at least. */
export const STORED_AHEAD_MS = 60 * DAY_MS;
/** How much further one extension stores. */
const RESERVE_MS = 2 * DAY_MS;

/**
 * The occurrences from `fromMs` on that are to be stored: all of the next 60 days, and in any case the next one.
 * @returns `storedUntilMs`: where the first one begins that is left out; null where there is none
 */
export function decideStored(
  schedule: WindowSchedule,
  fromMs: number,
  nowMs: number,
): { occurrences: Occurrence[]; storedUntilMs: number | null } {
  const occurrences: Occurrence[] = [];
  for (const occurrence of decideOccurrences(schedule, fromMs)) {
    const hasNext = (occurrences.at(-1)?.startMs ?? -Infinity) > nowMs;
    if (hasNext && occurrence.startMs >= nowMs + STORED_AHEAD_MS + RESERVE_MS)
      return { occurrences, storedUntilMs: occurrence.startMs };
    occurrences.push(occurrence);
  }
  return { occurrences, storedUntilMs: null };
}
