/** Never the same moment twice, whatever the clock does: a due time belongs to one check, a tag to one state. */
export function later(previous: Date, nowMs: number): Date {
  return new Date(Math.max(nowMs, previous.getTime() + 1));
}
