import type { IsDone } from '../schedule/check-timing.js';
import { slotOfResult } from './result-codec.js';

/** Slots older than this are not caught up with, so nobody asks. */
const RECENT_MS = 120_000;

/** Which slots an agent has done before its restart, from what its spool holds. */
export class DoneSlots {
  private readonly slots = new Map<number, Set<number>>();

  constructor(private readonly nowMs: number) {}

  /** To be called with every spooled result. */
  readonly visit = (payload: Uint8Array, fileModifiedMs: number): void => {
    if (fileModifiedMs < this.nowMs - RECENT_MS) return;
    const { id, slotMs } = slotOfResult(payload);
    if (slotMs < this.nowMs - RECENT_MS) return;
    const slots = this.slots.get(id);
    if (slots) slots.add(slotMs);
    else this.slots.set(id, new Set([slotMs]));
  };

  readonly isDone: IsDone = (id, slotMs) => this.slots.get(id)?.has(slotMs) ?? false;
}
