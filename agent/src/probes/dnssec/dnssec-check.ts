import type { DnsRecordType, DnsTarget } from '@watchpost/shared/checks/dns';
import { type DnsMessage, nameBytes, nameText, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import type { DnsServer } from '@watchpost/shared/names/dns-server';
import { DAY_MS } from '@watchpost/shared/time';
import { failureOf } from '../decide-lookup.js';
import { ProbeFault } from '../probe-fault.js';
import { dateText, type SignatureTimes, Verifications } from './decide-signature.js';
import { decideSignedAnswer, namesOf, type Answer, type Trust } from './decide-signed-answer.js';
import type { ChainQueries, TrustChains } from './trust-chains.js';
import { keyOf, type WireName, withAncestors } from './wire-name.js';

/** A signature must last so long at least as a part of its lifetime: zones that are signed anew with every answer sign for two days. */
const SHARE_OF_LIFETIME = 0.25;

export interface DnssecOptions {
  target: Pick<DnsTarget, 'dnssec' | 'signatureDays'>;
  chains: TrustChains;
  /** The resolver that has the chain; `place` is its name. */
  resolver: DnsServer;
  place: string;
  nowMs: number;
}

/** Validates the answers of one check, those of the resolver and those of the servers of the zone. */
export class DnssecCheck {
  readonly #queries: ChainQueries;
  /** Keys that are kept are looked up anew once, before an answer counts as bogus. */
  #mayForget = true;
  /** The first fault; an answer that is bogus is found before others. */
  fault: ProbeFault | null = null;

  constructor(
    private readonly hostname: string,
    private readonly options: DnssecOptions,
  ) {
    this.#queries = {
      nowMs: options.nowMs,
      verifications: new Verifications(),
      async ask(name, type) {
        const reply = await options.resolver.ask({ name, type, isSigned: true });
        const why = failureOf(reply);
        return reply.kind === 'answer' && (why === null || why === 'NXDOMAIN') ? reply.message : (why ?? 'no answer');
      },
    };
  }

  /**
   * Validates the answer about one record type.
   * @param server an authoritative server and its zone; null: the resolver
   * @returns why the answer is bogus
   */
  async judge(
    type: DnsRecordType,
    message: DnsMessage,
    server: { place: string; apex: string } | null,
  ): Promise<string | null> {
    // The DS records of a zone are at the servers of the zone above.
    if (type === 'DS' && server?.apex === this.hostname) return null;
    const { nowMs, place, target } = this.options;
    const name = nameBytes(this.hostname.toLowerCase());
    const question = { name, type: TYPE_NUMBERS[type], typeName: type };
    const trusts = await this.#trusts(name, type, message);
    const zone = server ? nameBytes(server.apex) : null;
    const root = [...trusts.values()].find((trust) => trust.kind === 'failed');
    if (root?.kind === 'failed') {
      const key = root.isRoot ? 'dnssec_unavailable' : 'dnssec_failing';
      this.fault ??= new ProbeFault(key, { host: this.hostname, resolver: place, why: root.why });
      return null;
    }
    const answer = decideSignedAnswer(
      question,
      message,
      (one) => trusts.get(keyOf(one))!,
      zone,
      nowMs,
      this.#queries.verifications,
    );
    if (answer.kind === 'bogus' && this.#mayForget) {
      this.#mayForget = false;
      if (namesOf(name, question.type, message).filter((one) => this.options.chains.forget(one)).length > 0)
        return this.judge(type, message, server);
    }
    const at = server?.place ?? place;
    this.fault ??= this.#faultOf(answer, at, target);
    return answer.kind === 'bogus' ? answer.why : null;
  }

  async #trusts(name: WireName, type: DnsRecordType, message: DnsMessage): Promise<Map<string, Trust>> {
    const trusts = new Map<string, Trust>();
    for (const [index, one] of namesOf(name, TYPE_NUMBERS[type], message).entries()) {
      const place = type === 'DS' && index === 0 ? withAncestors(one)[1]! : one;
      trusts.set(keyOf(one), await this.options.chains.trustOf(place, this.#queries));
    }
    return trusts;
  }

  #faultOf(answer: Answer, place: string, { dnssec, signatureDays }: DnssecOptions['target']): ProbeFault | null {
    const host = this.hostname;
    if (answer.kind === 'bogus') return new ProbeFault('dnssec_bogus', { host, place, why: answer.why });
    if (answer.kind === 'unsigned' && dnssec === 'required')
      return new ProbeFault('dnssec_unsigned', { host, zone: nameText(answer.name) });
    const ending = answer.signatures.find((signature) => this.#isEnding(signature, signatureDays));
    if (!ending) return null;
    const values = { host, place, zone: nameText(ending.zone), date: dateText(ending.expirationMs) };
    return new ProbeFault('dnssec_expiring', values);
  }

  #isEnding({ inceptionMs, expirationMs }: SignatureTimes, days: number): boolean {
    const leastMs = Math.min(days * DAY_MS, SHARE_OF_LIFETIME * (expirationMs - inceptionMs));
    return expirationMs - this.options.nowMs < leastMs;
  }
}
