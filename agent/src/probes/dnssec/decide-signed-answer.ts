import { type DnsMessage, type DnsRecord, nameText, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import { decideDenial, decideDenials, isWildcardProven } from './decide-denial.js';
import { decideSignature, type SignatureTimes, type TrustedZone, type Verifications } from './decide-signature.js';
import { subtreeAlias } from './decide-delegation.js';
import type { WireName } from './wire-name.js';

/** The chain from the root states this about the zone of a name. */
export type Trust =
  /** `isOpen`: it may be of an unsigned zone below, too. */
  | { kind: 'signed'; trusted: TrustedZone; isOpen: boolean }
  | { kind: 'unsigned'; zone: WireName }
  | { kind: 'bogus'; why: string }
  /** The resolver did not answer what the chain needs. */
  | { kind: 'failed'; why: string; isRoot: boolean };

export type Answer =
  | { kind: 'signed'; signatures: readonly SignatureTimes[] }
  /** The zone of this name is not signed; `signatures` are those of others on the way. */
  | { kind: 'unsigned'; name: WireName; signatures: readonly SignatureTimes[] }
  | { kind: 'bogus'; why: string };

export const MOST_ALIASES = 16;

/** The names that an answer leads through: that of the question, then those of its aliases. */
export function namesOf(name: WireName, type: number, { answers }: DnsMessage): WireName[] {
  const names = [name];
  while (names.length <= MOST_ALIASES) {
    const current = names.at(-1)!;
    if (setOf(answers, current, type).length > 0) break;
    const [alias] = setOf(answers, current, TYPE_NUMBERS.CNAME);
    if (!alias || names.some((one) => one.equals(alias.data))) break;
    names.push(alias.data);
  }
  return names;
}

/**
 * Decides whether the answer to a question is what the zones signed (RFC 4035 §5).
 * @param trustOf of each name that `namesOf` has
 * @param server the zone of an authoritative server, whose answer ends where an alias leads to another one; null: a resolver
 */
export function decideSignedAnswer(
  { name, type, typeName }: { name: WireName; type: number; typeName: string },
  message: DnsMessage,
  trustOf: (name: WireName) => Trust,
  server: WireName | null,
  nowMs: number,
  verifications: Verifications,
): Answer {
  const { answers, authorities, rcode } = message;
  const signatures: SignatureTimes[] = [];
  let unsigned: WireName | null = null;
  const names = namesOf(name, type, message);
  if (names.length > MOST_ALIASES) return { kind: 'bogus', why: `${nameText(name)} has too many aliases` };
  const stray = answers.find((one) => one.type === type && !names.some((other) => other.equals(one.owner)));
  if (stray) return { kind: 'bogus', why: `the answer has ${typeName} records of ${stray.name}` };
  for (const [index, current] of names.entries()) {
    const trust = trustOf(current);
    if (trust.kind === 'bogus' || trust.kind === 'failed') return { kind: 'bogus', why: trust.why };
    const isLast = index === names.length - 1;
    const set = setOf(answers, current, isLast ? type : TYPE_NUMBERS.CNAME);
    const isElsewhere = server !== null && index > 0 && !(trust.kind === 'signed' && trust.trusted.zone.equals(server));
    if (isElsewhere && set.length === 0) break;
    if (trust.kind === 'unsigned') {
      unsigned ??= current;
      continue;
    }
    const { trusted } = trust;
    if (trusted.signature && !trust.isOpen) signatures.push(trusted.signature);
    if (set.length === 0) {
      const denials = decideDenials(authorities, trusted, nowMs, verifications);
      const denial = decideDenial(current, type, trusted.zone, denials);
      if (denial.kind === 'unproven' && !trust.isOpen)
        return { kind: 'bogus', why: `the ${typeName} records of ${nameText(current)} ${denial.why}` };
      const isProven = denial.kind === 'noData' || denial.kind === 'noName';
      if (isProven && (denial.kind === 'noName') !== (rcode === 'NXDOMAIN'))
        return { kind: 'bogus', why: `the answer is ${rcode}, and ${nameText(trusted.zone)} proves the opposite` };
      if (!isProven) unsigned ??= current;
      signatures.push(...denials.signatures);
      continue;
    }
    const source = isLast ? null : subtreeAlias(answers, current, set[0]!);
    const signed = decideSignature(source ? [source] : set, answers, trusted, nowMs, verifications);
    const what = source
      ? `the DNAME records of ${source.name}`
      : `the ${isLast ? typeName : 'CNAME'} records of ${nameText(current)}`;
    if ('why' in signed && trust.isOpen) {
      unsigned ??= current;
      continue;
    }
    if ('why' in signed) return { kind: 'bogus', why: `${what} ${signed.why}` };
    const { wildcardLabels } = signed;
    const isProven = (): boolean =>
      isWildcardProven(current, wildcardLabels!, decideDenials(authorities, trusted, nowMs, verifications));
    if (wildcardLabels !== null && !isProven())
      return { kind: 'bogus', why: `${what} are of a wildcard, and it is not proven that no closer name exists` };
    signatures.push(signed.signature);
  }
  return unsigned ? { kind: 'unsigned', name: unsigned, signatures } : { kind: 'signed', signatures };
}

function setOf(records: readonly DnsRecord[], owner: WireName, type: number): DnsRecord[] {
  return records.filter((one) => one.type === type && one.owner.equals(owner));
}
