/** What paging does next: page who is on call, page that one again, page the leads. */
export const ESCALATION = [
  { step: 0, afterMs: 0, who: 'onCall' },
  { step: 1, afterMs: 10 * 60_000, who: 'onCall' },
  { step: 2, afterMs: 20 * 60_000, who: 'leads' },
] as const;
export type EscalationStep = (typeof ESCALATION)[number];

const LAST = ESCALATION.length - 1;

/**
 * When the next step is due: at its time after the paging began, or at once where this one reached nobody, so that
 * nobody sleeps on because somebody has no phone.
 * @returns null after the last step
 */
export function decideNextStep(
  step: number,
  beganMs: number,
  reached: boolean,
  nowMs: number,
): { step: number; dueMs: number } | null {
  if (step >= LAST) return null;
  // To page the same person again would reach nobody again.
  if (!reached) return { step: LAST, dueMs: nowMs };
  return { step: step + 1, dueMs: Math.max(nowMs, beganMs + ESCALATION[step + 1]!.afterMs) };
}
