import { type DnsMessage, nameText, type RecordType } from '@watchpost/shared/names/dns-message';
import { HOUR_MS } from '@watchpost/shared/time';
import { decideDelegation, decideKeys } from './decide-delegation.js';
import type { TrustedZone, Verifications } from './decide-signature.js';
import type { Trust } from './decide-signed-answer.js';
import { keyOf, type WireName, withAncestors } from './wire-name.js';
import type { KeyDigest } from './zone-key.js';

/** What one check asks its resolver; a text is the reason why there is no answer. */
export interface ChainQueries {
  ask(name: string, type: RecordType): Promise<DnsMessage | string>;
  nowMs: number;
  verifications: Verifications;
}

/** What is proven about a name by the zone above. */
type Link =
  | { kind: 'signed'; trusted: TrustedZone }
  | { kind: 'unsigned' }
  | { kind: 'open' }
  | { kind: 'none'; isLast: boolean }
  | { kind: 'bogus'; why: string }
  | { kind: 'failed'; why: string; isRoot: boolean };

const MOST_KEPT = 2_000;
const MOST_KEPT_MS = HOUR_MS;

/** The chains of trust from the root to the zones of names. What is proven is kept as long as its records may be, for all checks. */
export class TrustChains {
  readonly #kept = new Map<string, { link: Link; untilMs: number }>();

  /** @param anchors digests of keys of the root zone */
  constructor(private readonly anchors: readonly KeyDigest[]) {}

  /** Follows the zones from the root to the one that has the name. */
  async trustOf(name: WireName, queries: ChainQueries): Promise<Trust> {
    let trusted: TrustedZone | null = null;
    let isOpen = false;
    for (const child of withAncestors(name).toReversed()) {
      const link = await this.#link(child, trusted, queries);
      if (link.kind === 'bogus' || link.kind === 'failed') return link;
      if (link.kind === 'unsigned') return { kind: 'unsigned', zone: child };
      if (link.kind === 'signed') trusted = link.trusted;
      else if (link.kind === 'open') isOpen = true;
      if (isOpen || (link.kind === 'none' && link.isLast)) break;
    }
    return { kind: 'signed', trusted: trusted!, isOpen };
  }

  /** Asks again about the zones of a name, whose keys can be others than those kept. @returns whether any was kept */
  forget(name: WireName): boolean {
    return withAncestors(name).filter((one) => this.#kept.delete(keyOf(one))).length > 0;
  }

  async #link(child: WireName, parent: TrustedZone | null, queries: ChainQueries): Promise<Link> {
    const key = keyOf(child);
    const kept = this.#kept.get(key);
    if (kept && kept.untilMs > queries.nowMs) return kept.link;
    const messages: DnsMessage[] = [];
    const ask = async (type: 'DS' | 'DNSKEY'): Promise<DnsMessage | Link> => {
      const found = await queries.ask(nameText(child), type);
      if (typeof found !== 'string') messages.push(found);
      else
        return {
          kind: 'failed',
          why: `the ${type} records of ${nameText(child)} could not be looked up (${found})`,
          isRoot: parent === null,
        };
      return found;
    };
    const link = await this.#prove(child, parent, ask, queries);
    if (link.kind === 'bogus' || link.kind === 'failed') return link;
    const end = link.kind === 'signed' ? link.trusted.signature?.expirationMs : undefined;
    const untilMs = Math.min(queries.nowMs + Math.min(MOST_KEPT_MS, ttlMsOf(messages)), end ?? Infinity);
    this.#kept.delete(key);
    this.#kept.set(key, { link, untilMs });
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return link;
  }

  async #prove(
    child: WireName,
    parent: TrustedZone | null,
    ask: (type: 'DS' | 'DNSKEY') => Promise<DnsMessage | Link>,
    { nowMs, verifications }: ChainQueries,
  ): Promise<Link> {
    let digests = this.anchors;
    if (parent) {
      const answer = await ask('DS');
      if ('kind' in answer) return answer;
      const delegation = decideDelegation(child, answer, parent, nowMs, verifications);
      if (delegation.kind !== 'signed') return delegation;
      digests = delegation.digests;
    }
    const answer = await ask('DNSKEY');
    if ('kind' in answer) return answer;
    const trusted = decideKeys(child, answer, digests, nowMs, verifications);
    if (!('why' in trusted)) return { kind: 'signed', trusted };
    // Another root, or one without signatures, is the resolver's doing and no fault of the name.
    return parent ? { kind: 'bogus', why: trusted.why } : { kind: 'failed', why: trusted.why, isRoot: true };
  }
}

function ttlMsOf(messages: readonly DnsMessage[]): number {
  const records = messages.flatMap(({ answers, authorities }) => [...answers, ...authorities]);
  return 1_000 * Math.min(...records.map(({ ttl }) => ttl));
}
