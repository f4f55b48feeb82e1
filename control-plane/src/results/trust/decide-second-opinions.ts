/** Confirming runs a second; a burst may have so many at once. */
const RATE = 10;
const BURST = 30;

export interface OpinionBudget {
  tokens: number;
  atMs: number;
}

export const FULL_BUDGET: OpinionBudget = { tokens: BURST, atMs: 0 };

/**
 * How many of `wanted` confirming runs may be asked for now. When everything fails at once, asking about all of
 * it would make the storm worse, and a few answers tell as much as thousands.
 */
export function decideSecondOpinions(
  budget: OpinionBudget,
  wanted: number,
  nowMs: number,
): { allowed: number; budget: OpinionBudget } {
  const gained = (Math.max(0, nowMs - budget.atMs) / 1_000) * RATE;
  const tokens = Math.min(BURST, budget.tokens + gained);
  const allowed = Math.min(wanted, Math.floor(tokens));
  return { allowed, budget: { tokens: tokens - allowed, atMs: Math.max(nowMs, budget.atMs) } };
}
