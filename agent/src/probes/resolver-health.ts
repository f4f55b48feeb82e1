import type { SystemNames } from '@watchpost/shared/names/system-names';

/** Asks whether this machine's own resolver still answers anything. */
export type ResolverHealth = () => Promise<boolean>;

const REMEMBERED_MS = 1_000;

/**
 * A lookup fails in the same way where the name servers of a domain are dead and where the resolver cannot be reached: the
 * first is the target's outage, the second is the agent's. A question that every living resolver answers from its cache,
 * the name servers of the root, distinguishes them.
 */
export function createResolverHealth(names: Pick<SystemNames, 'isAlive'>, timeoutMs = 1_500): ResolverHealth {
  let asked: { at: number; answer: Promise<boolean> } | null = null;
  return () => {
    const now = performance.now();
    if (asked && now - asked.at < REMEMBERED_MS) return asked.answer;
    const answer = names.isAlive(timeoutMs);
    asked = { at: now, answer };
    return answer;
  };
}
