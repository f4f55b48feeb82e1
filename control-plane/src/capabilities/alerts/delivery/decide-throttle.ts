import type { ActionGroupType } from '../action-group.js';

/** No more than `most` messages to a destination in any `windowMs`. */
export interface Throttle {
  most: number;
  windowMs: number;
}

/** What a channel's recipients are spared. */
export const THROTTLES: Readonly<Partial<Record<ActionGroupType, Throttle>>> = {
  sms: { most: 5, windowMs: 15 * 60_000 },
};

/**
 * When the next message may go out.
 * @param sentMs when those of the last window went out, in any order
 * @returns null for now, else ms since the epoch
 */
export function decideThrottle(sentMs: readonly number[], nowMs: number, { most, windowMs }: Throttle): number | null {
  const recent = sentMs.filter((ms) => ms > nowMs - windowMs).toSorted((a, b) => b - a);
  const earliest = recent[most - 1];
  return earliest === undefined ? null : earliest + windowMs;
}
