import type { ActionGroupType } from '../action-group.js';

/** At most `most` messages to a destination in any period of `windowMs`. */
export interface Throttle {
  most: number;
  windowMs: number;
}

/** The throttle of each channel that has one. */
export const THROTTLES: Readonly<Partial<Record<ActionGroupType, Throttle>>> = {
  sms: { most: 5, windowMs: 15 * 60_000 },
};

/**
 * Decides when the next message may be sent.
 * @param sentMs the times of the messages in the last window, in any order
 * @returns ms since the epoch; null: now
 */
export function decideThrottle(sentMs: readonly number[], nowMs: number, { most, windowMs }: Throttle): number | null {
  const recent = sentMs.filter((ms) => ms > nowMs - windowMs).toSorted((a, b) => b - a);
  const earliest = recent[most - 1];
  return earliest === undefined ? null : earliest + windowMs;
}
