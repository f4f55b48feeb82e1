/** The time, as an argument: what decides or schedules takes a clock, so that tests can move it. */
export interface Clock {
  /** Wall-clock time, ms since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** `nowMs`, and never the moment that something has already, whatever the clock does: an entity tag belongs to one state, a due time to one check. */
export function laterThan(previous: Date, nowMs: number): Date {
  return new Date(Math.max(nowMs, previous.getTime() + 1));
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  constructor(private current: number) {}
  now(): number {
    return this.current;
  }
  set(ms: number): void {
    this.current = ms;
  }
  advance(ms: number): void {
    this.current += ms;
  }
}
