/** The steps of paging: page the person on call, page that person again, page the leads. */
export const ESCALATION = [
  { step: 0, afterMs: 0, who: 'onCall' },
  { step: 1, afterMs: 10 * 60_000, who: 'onCall' },
  { step: 2, afterMs: 20 * 60_000, who: 'leads' },
] as const;
export type EscalationStep = (typeof ESCALATION)[number];

/** The step that pages somebody else than the one before. */
export const LAST = ESCALATION.length - 1;

/**
 * Decides when the next step is due: at its time after the paging began. If this step reached nobody, the leads are paged
 * at once.
 * @returns null after the last step
 */
export function decideNextStep(
  step: number,
  beganMs: number,
  reached: boolean,
  nowMs: number,
): { step: number; dueMs: number } | null {
  if (step >= LAST) return null;
  // Paging the same person again would reach nobody again.
  if (!reached) return { step: LAST, dueMs: nowMs };
  return { step: step + 1, dueMs: Math.max(nowMs, beganMs + ESCALATION[step + 1]!.afterMs) };
}
