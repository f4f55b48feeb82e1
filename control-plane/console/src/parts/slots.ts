import { type SlotState, statesOf } from '@watchpost/shared/design/bar';

/** A bar as the API has it: a letter a slot. */
export interface BarSlots {
  /** Of the first slot, ISO 8601. */
  start: string;
  stepSeconds: number;
  states: string;
}

export interface Slot {
  state: SlotState;
  startMs: number;
  endMs: number;
}

/** @returns the slots of a bar; a letter that is not known is `unknown` */
export function slotsOf({ start, stepSeconds, states }: BarSlots): Slot[] {
  const startMs = Date.parse(start);
  const stepMs = stepSeconds * 1_000;
  return statesOf(states).map((state, index) => ({
    state,
    startMs: startMs + index * stepMs,
    endMs: startMs + (index + 1) * stepMs,
  }));
}

/** @returns the index of the slot under a point, from 0; `x` and `width` in the same unit */
export function slotAt(x: number, width: number, count: number): number {
  if (width <= 0 || count <= 0) return 0;
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}

/** @returns the neighbouring slots with the same state as this one, as one */
export function stretchAt(slots: readonly Slot[], index: number): Slot | undefined {
  const slot = slots[index];
  if (slot === undefined) return undefined;
  let [from, to] = [index, index];
  while (slots[from - 1]?.state === slot.state) from--;
  while (slots[to + 1]?.state === slot.state) to++;
  return { state: slot.state, startMs: slots[from]!.startMs, endMs: slots[to]!.endMs };
}

/** A bar in words, for those who do not see it: `Last 24 h: available 92 %, unavailable 1 h 15 min`. */
export function describeSlots(slots: readonly Slot[], lengthText: (ms: number) => string): string {
  const first = slots[0];
  const last = slots.at(-1);
  if (first === undefined || last === undefined) return 'No data yet';
  const lengths = new Map<SlotState, number>();
  for (const { state, startMs, endMs } of slots) lengths.set(state, (lengths.get(state) ?? 0) + endMs - startMs);
  lengths.delete('none');
  if (lengths.size === 0) return 'No data yet';
  const words = [...lengths].map(([state, ms]) => `${state} ${lengthText(ms)}`);
  return `Last ${lengthText(last.endMs - first.startMs)}: ${words.join(', ')}`;
}
