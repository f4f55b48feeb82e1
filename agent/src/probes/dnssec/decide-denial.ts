import { type DnsRecord, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import { decideSignature, type SignatureTimes, type TrustedZone, type Verifications } from './decide-signature.js';
import {
  type DenialRecord,
  endsAt,
  hashName,
  type HashParameters,
  MOST_ITERATIONS,
  readNsec,
  readNsec3,
} from './denial-record.js';
import {
  ancestorOf,
  commonAncestor,
  keyOf,
  labelCount,
  type WireName,
  wildcardOf,
  withAncestors,
} from './wire-name.js';

/** A zone proves this about a name. */
export type Denial =
  /** It exists, or names below it do, without records of the type; `types` are those that it has, null where it has none or a wildcard. */
  | { kind: 'noData'; types: ReadonlySet<number> | null }
  | { kind: 'noName' }
  /** Nothing can be proven: it may be an unsigned delegation, or its proof is too costly. */
  | { kind: 'unsigned' }
  | { kind: 'unproven'; why: string };

const MOST_RECORDS = 8;

/** The signed records that deny, of one section. */
export interface Denials {
  records: readonly DenialRecord[];
  isHashed: boolean;
  /** Its proof is too costly. */
  isCostly: boolean;
  signatures: readonly SignatureTimes[];
  /** Why some of them are no proof. */
  why: string;
}

/** The records of a section that deny anything, as far as the zone signed them. */
export function decideDenials(
  section: readonly DnsRecord[],
  trusted: TrustedZone,
  nowMs: number,
  verifications: Verifications,
): Denials {
  const hashes = new Map<string, Buffer>();
  const hashOf = (name: WireName, parameters: HashParameters): Buffer => {
    const key = keyOf(name);
    const hash = hashes.get(key) ?? hashName(name, parameters);
    hashes.set(key, hash);
    return hash;
  };
  const denials = {
    records: [] as DenialRecord[],
    isHashed: false,
    isCostly: false,
    signatures: [] as SignatureTimes[],
    why: 'are not proven to be missing',
  };
  let parameters: HashParameters | undefined;
  const candidates = section.filter(({ type }) => type === TYPE_NUMBERS.NSEC || type === TYPE_NUMBERS.NSEC3);
  for (const record of candidates.slice(0, MOST_RECORDS)) {
    const set = decideSignature([record], section, trusted, nowMs, verifications);
    if ('why' in set || set.wildcardLabels !== null) {
      denials.why = `are not proven to be missing: the records that deny them ${'why' in set ? set.why : 'are of a wildcard'}`;
      continue;
    }
    denials.signatures.push(set.signature);
    if (record.type === TYPE_NUMBERS.NSEC) {
      const nsec = readNsec(record);
      if (nsec) denials.records.push(nsec);
      continue;
    }
    const nsec3 = readNsec3(record, trusted.zone, hashOf);
    if (!nsec3) continue;
    // RFC 5155 §8.2: those of one proof have the same parameters.
    parameters ??= nsec3.parameters;
    if (parameters.iterations !== nsec3.parameters.iterations || !parameters.salt.equals(nsec3.parameters.salt))
      continue;
    if (parameters.iterations > MOST_ITERATIONS) denials.isCostly = true;
    denials.isHashed = true;
    denials.records.push(nsec3);
  }
  return denials;
}

/** Decides what is proven about a name that has no answer (RFC 4035 §5.4, RFC 5155 §8). */
export function decideDenial(name: WireName, type: number, zone: WireName, denials: Denials): Denial {
  if (denials.isCostly) return { kind: 'unsigned' };
  const { records } = denials;
  const own = records.find((record) => record.matches(name));
  if (own) return lacks(own, type, labelCount(name) === 0) ? { kind: 'noData', types: own.types } : unproven(denials);
  const proof = denials.isHashed ? hashedEncloser(name, zone, records) : plainEncloser(name, records);
  if (proof === null) return unproven(denials);
  if (proof.isEmpty) return { kind: 'noData', types: null };
  if (proof.isOptOut) return { kind: 'unsigned' };
  const wildcard = wildcardOf(proof.encloser);
  const expanded = records.find((record) => record.matches(wildcard));
  if (expanded) return lacks(expanded, type, false) ? { kind: 'noData', types: null } : unproven(denials);
  return records.some((record) => record.covers(wildcard)) ? { kind: 'noName' } : unproven(denials);
}

/** Decides whether no name is closer to `name` than the wildcard that it was made of (RFC 4035 §5.3.4, RFC 5155 §8.8). */
export function isWildcardProven(name: WireName, wildcardLabels: number, denials: Denials): boolean {
  const { records, isHashed, isCostly } = denials;
  if (!isHashed) {
    const proof = plainEncloser(name, records);
    return proof !== null && labelCount(proof.encloser) === wildcardLabels;
  }
  const closer = ancestorOf(name, wildcardLabels + 1);
  return isCostly || records.some((record) => record.covers(closer));
}

function unproven({ why }: Denials): Denial {
  return { kind: 'unproven', why };
}

/** Decides whether a record about a name proves that it has neither this type nor an alias. */
function lacks(record: DenialRecord, type: number, isRoot: boolean): boolean {
  const { types } = record;
  if (types.has(type) || types.has(TYPE_NUMBERS.CNAME)) return false;
  // A delegation has a record in both zones: only the one above has its DS, and only the one below all else.
  if (type === TYPE_NUMBERS.DS) return isRoot || !types.has(TYPE_NUMBERS.SOA);
  return !endsAt(record) || types.has(TYPE_NUMBERS.DNAME);
}

interface Encloser {
  /** The closest ancestor that exists. */
  encloser: WireName;
  /** The name exists for the sake of names below it. */
  isEmpty: boolean;
  isOptOut: boolean;
}

function plainEncloser(name: WireName, records: readonly DenialRecord[]): Encloser | null {
  const covering = records.find((record) => record.next && record.covers(name));
  if (!covering?.next) return null;
  const [before, after] = [commonAncestor(name, covering.owner), commonAncestor(name, covering.next)];
  // Names below a delegation are of another zone.
  if (before.equals(covering.owner) && endsAt(covering)) return null;
  const encloser = labelCount(before) > labelCount(after) ? before : after;
  return { encloser, isEmpty: after.equals(name), isOptOut: false };
}

function hashedEncloser(name: WireName, zone: WireName, records: readonly DenialRecord[]): Encloser | null {
  const names = withAncestors(name);
  const inZone = names.slice(0, names.length - labelCount(zone));
  for (const [index, encloser] of inZone.entries()) {
    const own = records.find((record) => record.matches(encloser));
    if (!own) continue;
    if (endsAt(own)) return null;
    const closer = inZone[index - 1]!;
    const covering = records.find((record) => record.covers(closer));
    return covering ? { encloser, isEmpty: false, isOptOut: covering.isOptOut } : null;
  }
  return null;
}
