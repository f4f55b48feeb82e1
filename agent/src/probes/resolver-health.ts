import type { SystemNames } from '@watchpost/shared/names/system-names';

/** Whether the machine's own resolver answers at all. */
export type ResolverHealth = () => Promise<boolean>;

const REMEMBERED_MS = 1_000;

/**
 * A lookup fails in the same way if the name servers of a domain are down, an outage of the target, and if the resolver
 * cannot be reached, an outage of the agent. A query that every working resolver answers from its cache, the name servers
 * of the root, distinguishes them.
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
