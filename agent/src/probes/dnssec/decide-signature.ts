import { createHash } from 'node:crypto';
import { type DnsRecord, nameText, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import { ancestorOf, isWildcard, isWithin, keyOf, labelCount, type WireName, wildcardOf } from './wire-name.js';
import { isSignatureOf, type ZoneKey } from './zone-key.js';

/** The keys of a zone, whose authenticity is proven. */
export interface TrustedZone {
  zone: WireName;
  keys: readonly ZoneKey[];
  /** The first signature of its keys that ends. */
  signature: SignatureTimes | null;
}

export interface SignatureTimes {
  zone: WireName;
  inceptionMs: number;
  expirationMs: number;
}

/** Why a set of records is not what its zone signed, as the end of a sentence about it. */
export interface Untrusted {
  why: string;
}

export interface SignedSet {
  signature: SignatureTimes;
  /** The labels of the wildcard from which it was made; null for records of their own. */
  wildcardLabels: number | null;
}

/** The limits of one check, against answers with many keys and signatures (CVE-2023-50387). */
const MOST_VERIFICATIONS = 256;
const MOST_SIGNATURES = 8;
const MOST_KEYS = 4;

/** The verifications of one check: servers of a zone send the same signatures. */
export class Verifications {
  readonly #known = new Map<string, boolean>();

  isValid(signature: Buffer, signed: Buffer, key: ZoneKey): boolean {
    const facts = createHash('sha256').update(key.data).update(signature).update(signed).digest('base64');
    const known = this.#known.get(facts);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_VERIFICATIONS) return false;
    const isValid = isSignatureOf(signature, signed, key);
    this.#known.set(facts, isValid);
    return isValid;
  }
}

interface Signature {
  fields: Buffer;
  algorithm: number;
  labels: number;
  originalTtl: number;
  expirationMs: number;
  inceptionMs: number;
  tag: number;
  signer: WireName;
  bytes: Buffer;
}

const FIXED_BYTES = 18;

/**
 * Decides whether the zone signed a set of records of one owner and type (RFC 4035 §5.3).
 * @param section the records among which its signatures are
 */
export function decideSignature(
  set: readonly DnsRecord[],
  section: readonly DnsRecord[],
  { zone, keys }: Pick<TrustedZone, 'zone' | 'keys'>,
  nowMs: number,
  verifications: Verifications,
): SignedSet | Untrusted {
  const [{ owner, type }] = set as [DnsRecord];
  const signatures = section
    .filter(
      (record) =>
        record.type === TYPE_NUMBERS.RRSIG && record.owner.equals(owner) && record.data.readUInt16BE(0) === type,
    )
    .map(({ data }) => readSignature(data, nowMs));
  let why = 'have no signature';
  for (const signature of signatures.slice(0, MOST_SIGNATURES)) {
    const fault = faultOf(signature, owner, zone, nowMs);
    const candidates = keys.filter(({ tag, algorithm }) => tag === signature.tag && algorithm === signature.algorithm);
    if (fault !== null) why = fault;
    else if (candidates.length === 0)
      why = `have a signature by the key ${signature.tag}, which ${nameText(zone)} does not have`;
    else {
      const signed = signedBytes(set, signature);
      if (candidates.slice(0, MOST_KEYS).some((key) => verifications.isValid(signature.bytes, signed, key)))
        return {
          signature: { zone, inceptionMs: signature.inceptionMs, expirationMs: signature.expirationMs },
          wildcardLabels: signature.labels < ownLabels(owner) ? signature.labels : null,
        };
      why = 'have a signature that is not valid';
    }
  }
  return { why };
}

/** `readMessage` has checked that the fixed fields and a name are there. */
function readSignature(data: Buffer, nowMs: number): Signature {
  let end = FIXED_BYTES;
  while (data[end] !== 0) end += 1 + data[end]!;
  return {
    fields: data.subarray(0, end + 1),
    algorithm: data[2]!,
    labels: data[3]!,
    originalTtl: data.readUInt32BE(4),
    expirationMs: timeOf(data.readUInt32BE(8), nowMs),
    inceptionMs: timeOf(data.readUInt32BE(12), nowMs),
    tag: data.readUInt16BE(16),
    signer: data.subarray(FIXED_BYTES, end + 1),
    bytes: data.subarray(end + 1),
  };
}

/** Seconds modulo 2³² are the time that is closest to now (RFC 4034 §3.1.5). */
function timeOf(seconds: number, nowMs: number): number {
  const now = Math.floor(nowMs / 1_000);
  return (now + ((seconds - now) | 0)) * 1_000;
}

function faultOf(signature: Signature, owner: WireName, zone: WireName, nowMs: number): string | null {
  if (!signature.signer.equals(zone))
    return `have a signature of ${nameText(signature.signer)}, and are of ${nameText(zone)}`;
  if (signature.labels > ownLabels(owner) || !isWithin(owner, zone)) return 'have a signature that is not valid';
  if (signature.expirationMs < nowMs) return `have a signature that expired on ${dateText(signature.expirationMs)}`;
  if (signature.inceptionMs > nowMs) return `have a signature that is valid from ${dateText(signature.inceptionMs)} on`;
  return null;
}

/** The labels of an owner as signatures count them, without that of a wildcard. */
function ownLabels(owner: WireName): number {
  return labelCount(owner) - (isWildcard(owner) ? 1 : 0);
}

/** The canonical form of RFC 4034 §6 and RFC 4035 §5.3.2; records that are alike count once. */
function signedBytes(set: readonly DnsRecord[], { fields, labels, originalTtl }: Signature): Buffer {
  const { owner, type } = set[0]!;
  const name = labels < ownLabels(owner) ? wildcardOf(ancestorOf(owner, labels)) : owner;
  const head = Buffer.alloc(8);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(originalTtl, 4);
  const sorted = [...new Map(set.map(({ data }) => [keyOf(data), data])).values()].toSorted((a, b) => a.compare(b));
  const records = sorted.flatMap((data) => [name, head, Buffer.from([data.length >> 8, data.length & 0xff]), data]);
  return Buffer.concat([fields, ...records]);
}

export function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
}
