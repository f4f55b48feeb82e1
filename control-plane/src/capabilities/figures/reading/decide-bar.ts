import { STATE_LETTERS } from '@watchpost/shared/design/bar';
import type { TimelineSpan, TimelineStatus } from './decide-timeline.js';

export interface BarSlots {
  startMs: number;
  stepMs: number;
  slots: number;
}

export interface BarMonitor {
  /** ms since the epoch. */
  createdMs: number;
  isEnabled: boolean;
  /** When the first result of the period was scheduled; null without one. */
  firstResultMs: number | null;
}

const WORST_FIRST: readonly TimelineStatus[] = ['unavailable', 'partial', 'unknown', 'maintenance', 'available'];

/** The slots that end with the one that contains `nowMs`, at multiples of `stepMs`, so that they do not move with time. */
export function barSlots(nowMs: number, stepMs: number, slots: number): BarSlots {
  return { startMs: (Math.floor(nowMs / stepMs) + 1 - slots) * stepMs, stepMs, slots };
}

/**
 * One letter a slot: the worst status of the timeline in it. `-` before the monitor existed, where nothing can be known.
 * The seconds from its creation to its first check make no slot unknown. While a monitor is not enabled, the slots since its
 * last result are `z`.
 * @param timeline covers the slots until now; without `monitor`, the letters follow from it alone
 */
export function decideBar(
  timeline: readonly TimelineSpan[],
  { startMs, stepMs, slots }: BarSlots,
  monitor?: BarMonitor,
): string {
  const fromMs = monitor ? existsFrom(monitor, stepMs) : -Infinity;
  const letters: string[] = [];
  let next = 0;
  for (let slot = 0; slot < slots; slot++) {
    const [slotStartMs, slotEndMs] = [startMs + slot * stepMs, startMs + (slot + 1) * stepMs];
    const seen = new Set<TimelineStatus>();
    for (let index = next; index < timeline.length && timeline[index]!.startMs < slotEndMs; index++) {
      const span = timeline[index]!;
      if (Math.min(span.endMs, slotEndMs) > Math.max(span.startMs, slotStartMs, fromMs)) seen.add(span.status);
      if (span.endMs <= slotEndMs) next = index + 1;
    }
    const worst = WORST_FIRST.find((status) => seen.has(status));
    letters.push(worst ? STATE_LETTERS[worst] : STATE_LETTERS[slotEndMs <= fromMs ? 'none' : 'unknown']);
  }
  const bar = letters.join('');
  return monitor && !monitor.isEnabled ? bar.replace(/n+$/, (unknown) => 'z'.repeat(unknown.length)) : bar;
}

/** From when on the slots of a monitor can show anything: its creation, or its first result where that is in the same slot. */
function existsFrom({ createdMs, firstResultMs }: BarMonitor, stepMs: number): number {
  if (firstResultMs === null) return createdMs;
  const isSoon = Math.floor(firstResultMs / stepMs) === Math.floor(createdMs / stepMs);
  return isSoon ? firstResultMs : Math.min(createdMs, firstResultMs);
}
