/** A clock as an argument, so that tests can set the time. */
export interface Clock {
  /** Wall-clock time, ms since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** `nowMs`, or later if that time is taken already: an entity tag belongs to one state, a scheduled time to one check. */
export function laterThan(previous: Date, nowMs: number): Date {
  return new Date(Math.max(nowMs, previous.getTime() + 1));
}

/** Whether two times are less than `ms` apart, in either order: a clock that is set back leaves times that lie ahead of it. */
export function isWithin(ms: number, one: number, other: number): boolean {
  return Math.abs(one - other) < ms;
}

/** A clock that moves only when it is set. */
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
