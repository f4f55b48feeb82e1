import { CHANNELS, type Throttle } from '../../channels/index.js';
import { decideThrottle } from './decide-throttle.js';
import type { LeasedLane } from '../queue/delivery-lane.js';

/** A page waits no longer than the window. SMS have a throttle of their own, which is counted in the database. */
export const PAGE_PACES: Readonly<Record<string, Throttle>> = Object.fromEntries(
  CHANNELS.flatMap(({ type, pagePace }) => (pagePace ? [[type, pagePace]] : [])),
);
/** With more lanes than this, those that are idle are forgotten. */
const MANY_LANES = 10_000;

/** When this process sent the last pages of each lane. Each process counts for itself. */
export class PagePace {
  readonly #sent = new Map<string, number[]>();

  constructor(private readonly paces: typeof PAGE_PACES = PAGE_PACES) {}

  /** @returns when the next message of a lane may be sent, ms since the epoch; null: now */
  opensAt(channel: string, lane: LeasedLane, nowMs: number): number | null {
    const pace = this.paces[channel];
    return pace ? decideThrottle(this.#sent.get(keyOf(lane)) ?? [], nowMs, pace) : null;
  }

  sent(lane: LeasedLane, nowMs: number): void {
    if (this.#sent.size > MANY_LANES) this.#forgetIdle(nowMs);
    const key = keyOf(lane);
    this.#sent.set(key, [...(this.#sent.get(key) ?? []), nowMs].slice(-this.#most));
  }

  get #most(): number {
    return Math.max(1, ...Object.values(this.paces).map(({ most }) => most));
  }

  #forgetIdle(nowMs: number): void {
    const windowMs = Math.max(0, ...Object.values(this.paces).map((pace) => pace.windowMs));
    for (const [key, times] of this.#sent) if (times.at(-1)! <= nowMs - windowMs) this.#sent.delete(key);
  }
}

function keyOf({ workspaceId, lane }: LeasedLane): string {
  return `${workspaceId} ${lane}`;
}
