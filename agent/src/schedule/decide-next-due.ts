import { SETTLE_MS } from '@watchpost/shared/check';

/**
 * What of a check decides its due times. Its slots are `changedAtMs` itself, and every
 * `phaseMs + k * intervalMs` from `changedAtMs + SETTLE_MS` on: the same whoever runs the check.
 */
export interface SlotRule {
  intervalMs: number;
  phaseMs: number;
  changedAtMs: number;
}

/** Slots missed for no longer than this are run late; older ones are gone, because late results mislead more than they tell. */
export const CATCH_UP_MS = 15_000;

/** A spec that arrives later than this after its change no longer starts with the slot of the change. */
const CHANGE_WINDOW_MS = 60_000;

/** The first slot strictly after `afterMs`; whole ms since the epoch. */
export function nextDue(rule: SlotRule, afterMs: number): number {
  if (afterMs < rule.changedAtMs) return rule.changedAtMs;
  const from = Math.max(Math.floor(afterMs) + 1, rule.changedAtMs + SETTLE_MS);
  return rule.phaseMs + Math.ceil((from - rule.phaseMs) / rule.intervalMs) * rule.intervalMs;
}

/** Every slot of `fromMs <= slot < toMs`, in order. */
export function slotsBetween(rule: SlotRule, fromMs: number, toMs: number): number[] {
  const slots: number[] = [];
  for (let slot = nextDue(rule, fromMs - 1); slot < toMs; slot = nextDue(rule, slot)) slots.push(slot);
  return slots;
}

/**
 * Where an agent begins with a check that it was just given: with the moment of the change, where that is
 * recent and not behind it already, so that people see a first result at once; else with the next slot.
 * @param lastSlotMs the newest slot that this agent has run or passed, -Infinity for none
 */
export function firstDue(rule: SlotRule, nowMs: number, lastSlotMs: number): number {
  const window = Math.min(rule.intervalMs, CHANGE_WINDOW_MS);
  const changeIsOpen = rule.changedAtMs > lastSlotMs && rule.changedAtMs >= nowMs - window;
  return changeIsOpen ? rule.changedAtMs : nextDue(rule, Math.max(nowMs, lastSlotMs));
}

/**
 * Where an agent begins with a check that it owes: with what fell due since it was done, as far as that can be caught up with.
 * @param completedThroughMs the newest slot that has a result, 0 for none
 */
export function firstOwed(rule: SlotRule, nowMs: number, completedThroughMs: number): number {
  const first = firstDue(rule, nowMs, completedThroughMs);
  return first === rule.changedAtMs
    ? first
    : nextDue(rule, Math.max(Math.min(completedThroughMs, nowMs), nowMs - CATCH_UP_MS - 1));
}
