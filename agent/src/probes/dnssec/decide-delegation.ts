import { type DnsMessage, type DnsRecord, nameText, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import { decideDenial, decideDenials } from './decide-denial.js';
import { decideSignature, type TrustedZone, type Untrusted, type Verifications } from './decide-signature.js';
import { isWithin, type WireName } from './wire-name.js';
import { isDigestOf, isSupported, type KeyDigest, readKeyDigest, readZoneKey } from './zone-key.js';

/** A zone states this about a name below it. */
export type Delegation =
  /** A signed zone begins there. */
  | { kind: 'signed'; digests: readonly KeyDigest[] }
  /** A zone begins there that is not signed, or not in a way that validators understand. */
  | { kind: 'unsigned' }
  /** An unsigned zone may begin there: nothing is proven about the name. */
  | { kind: 'open' }
  /** The name is of the zone itself; `isLast`: no names exist below it. */
  | { kind: 'none'; isLast: boolean }
  | ({ kind: 'bogus' } & Untrusted);

const MOST_DIGESTS = 8;
const MOST_ZONE_KEYS = 32;

/** Decides by the answer about the DS records of a name, asked of the zone above. */
export function decideDelegation(
  child: WireName,
  { answers, authorities, rcode }: DnsMessage,
  trusted: TrustedZone,
  nowMs: number,
  verifications: Verifications,
): Delegation {
  const of = (type: number): DnsRecord[] => answers.filter((one) => one.type === type && one.owner.equals(child));
  const [alias] = of(TYPE_NUMBERS.CNAME);
  const set = of(TYPE_NUMBERS.DS);
  if (alias || set.length > 0) {
    const proof = alias ? [subtreeAlias(answers, child, alias) ?? alias] : set;
    const signed = decideSignature(proof, answers, trusted, nowMs, verifications);
    if ('why' in signed) return bogus(`the ${alias ? 'CNAME' : 'DS'} records of ${nameText(child)} ${signed.why}`);
    if (alias) return { kind: 'none', isLast: true };
    if (signed.wildcardLabels !== null) return bogus(`the DS records of ${nameText(child)} are of a wildcard`);
    const digests = set.slice(0, MOST_DIGESTS).map(({ data }) => readKeyDigest(data));
    const supported = digests.filter((digest) => digest !== null && isSupported(digest)) as KeyDigest[];
    return supported.length === 0 ? { kind: 'unsigned' } : { kind: 'signed', digests: supported };
  }
  const denials = decideDenials(authorities, trusted, nowMs, verifications);
  const denial = decideDenial(child, TYPE_NUMBERS.DS, trusted.zone, denials);
  switch (denial.kind) {
    case 'unsigned':
      return { kind: 'open' };
    case 'noData':
      return denial.types?.has(TYPE_NUMBERS.NS) ? { kind: 'unsigned' } : { kind: 'none', isLast: false };
    case 'noName':
      return { kind: 'none', isLast: rcode === 'NXDOMAIN' };
    case 'unproven':
      return bogus(`the DS records of ${nameText(child)} ${denial.why}`);
  }
}

/** Decides which keys a zone has, by the digests of the zone above (RFC 4035 §5.2). */
export function decideKeys(
  zone: WireName,
  { answers }: DnsMessage,
  digests: readonly KeyDigest[],
  nowMs: number,
  verifications: Verifications,
): TrustedZone | Untrusted {
  const set = answers.filter((one) => one.type === TYPE_NUMBERS.DNSKEY && one.owner.equals(zone));
  const keys = set.slice(0, MOST_ZONE_KEYS).flatMap((record) => readZoneKey(record) ?? []);
  const trusted = keys.filter((key) => digests.some((digest) => isDigestOf(digest, zone, key)));
  const place = nameText(zone);
  if (set.length === 0) return { why: `${place} has no DNSKEY records, although the zone above has their digests` };
  if (trusted.length === 0) return { why: `${place} has no key with a digest in the zone above` };
  const signed = decideSignature(set, answers, { zone, keys: trusted }, nowMs, verifications);
  return 'why' in signed
    ? { why: `the DNSKEY records of ${place} ${signed.why}` }
    : { zone, keys, signature: signed.signature };
}

function bogus(why: string): Delegation {
  return { kind: 'bogus', why };
}

/** The DNAME record that an alias without a signature was made of (RFC 6672 §5.3.1); null for an alias of its own. */
export function subtreeAlias(answers: readonly DnsRecord[], name: WireName, alias: DnsRecord): DnsRecord | null {
  const isOf = ({ owner, data }: DnsRecord): boolean => {
    if (name.equals(owner) || !isWithin(name, owner)) return false;
    const start = name.subarray(0, name.length - owner.length);
    return alias.data.equals(Buffer.concat([start, data]));
  };
  return answers.find((one) => one.type === TYPE_NUMBERS.DNAME && isOf(one)) ?? null;
}
