/** Never the same moment twice, whatever the clock does: a tag belongs to one state. */
export function laterThan(previous: Date, nowMs: number): Date {
  return new Date(Math.max(nowMs, previous.getTime() + 1));
}
