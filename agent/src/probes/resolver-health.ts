import { Resolver } from 'node:dns';

/** Asks whether this machine's own resolver still answers anything. */
export type ResolverHealth = () => Promise<boolean>;

const REMEMBERED_MS = 1_000;
/** Any answer proves that a resolver is there, also a refusal; these are no answer, or one that says that it has lost its own upstream. */
const NO_ANSWER = new Set([
  'ETIMEOUT',
  'ECONNREFUSED',
  'ESERVFAIL',
  'ECANCELLED',
  'EADDRGETNETWORKPARAMS',
  'ENOTINITIALIZED',
]);

/**
 * `getaddrinfo` says the same (EAI_AGAIN, or nothing for long) of a domain whose name servers are dead
 * and of a resolver that cannot be reached: the first is the target's outage, the second is ours. A
 * question that every living resolver answers from its cache, the name servers of the root, tells them apart.
 */
export function createResolverHealth(timeoutMs = 1_500): ResolverHealth {
  let asked: { at: number; answer: Promise<boolean> } | null = null;
  return () => {
    const now = performance.now();
    if (asked && now - asked.at < REMEMBERED_MS) return asked.answer;
    const answer = new Promise<boolean>((resolve) => {
      new Resolver({ timeout: timeoutMs, tries: 1 }).resolveNs('.', (error) =>
        resolve(!NO_ANSWER.has(error?.code ?? '')),
      );
    });
    asked = { at: now, answer };
    return answer;
  };
}
