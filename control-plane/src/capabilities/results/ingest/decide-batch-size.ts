export interface SizeLimits {
  most: number;
  least: number;
  /** How long a transaction may take, ms: so long a change of one of its monitors waits for the rows that it locks. */
  aimMs: number;
}

/** Fewer results than the least take as long on a busy machine: there, it is the number of statements that takes the time. */
export const SIZE_LIMITS: SizeLimits = { most: 1_000, least: 250, aimMs: 250 };

/**
 * Decides how many results the next transaction may have, from how long the last one took. A result that opens an incident
 * costs many times as much as a usual one.
 * @param present the size that the last one might have had
 */
export function decideBatchSize(
  present: number,
  last: { results: number; elapsedMs: number },
  { most, least, aimMs }: SizeLimits,
): number {
  // Few results take long only where something else does.
  if (last.results < least) return present;
  if (last.elapsedMs > aimMs)
    return Math.max(least, Math.min(present, Math.floor((last.results * aimMs) / last.elapsedMs)));
  const isProven = last.elapsedMs < aimMs / 2 && last.results >= present / 2;
  return isProven ? Math.min(most, 2 * present) : present;
}
