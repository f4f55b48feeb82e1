import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { DnsRecord } from '@watchpost/shared/names/dns-message';

/** A key of a zone (RFC 4034 §2). */
export interface ZoneKey {
  tag: number;
  algorithm: number;
  /** The data of its record. */
  data: Buffer;
  /** Null for one that is invalid. */
  key: KeyObject | null;
}

/** A DS record (RFC 4034 §5): the digest of a key of a zone below. */
export interface KeyDigest {
  tag: number;
  algorithm: number;
  digestType: number;
  digest: Buffer;
}

const HEADER_BYTES = 4;
const ZONE_FLAG = 0x0100;
const REVOKED_FLAG = 0x0080;
const DNSSEC_PROTOCOL = 3;
/** Larger numbers would make the verification of a signature slow. */
const MOST_MODULUS_BYTES = 512;
const MOST_EXPONENT_BYTES = 5;
const DIGESTS: Readonly<Record<number, string>> = { 2: 'sha256', 4: 'sha384' };

interface Algorithm {
  hash: string | null;
  /** The key as JWK, or null where the bytes are none. */
  jwkOf(key: Buffer): Record<string, string> | null;
}

const text = (bytes: Buffer): string => bytes.toString('base64url');
const curve = (crv: string, bytes: number) => (key: Buffer) =>
  key.length === 2 * bytes ? { kty: 'EC', crv, x: text(key.subarray(0, bytes)), y: text(key.subarray(bytes)) } : null;
const edwards = (crv: string, bytes: number) => (key: Buffer) =>
  key.length === bytes ? { kty: 'OKP', crv, x: text(key) } : null;

/** Those that RFC 8624 has validators support and that use no SHA-1; a zone with others only counts as unsigned. */
const ALGORITHMS: Readonly<Record<number, Algorithm>> = {
  8: { hash: 'sha256', jwkOf: rsaJwk },
  10: { hash: 'sha512', jwkOf: rsaJwk },
  13: { hash: 'sha256', jwkOf: curve('P-256', 32) },
  14: { hash: 'sha384', jwkOf: curve('P-384', 48) },
  15: { hash: null, jwkOf: edwards('Ed25519', 32) },
  16: { hash: null, jwkOf: edwards('Ed448', 57) },
};

/** RFC 3110 §2: the length of the exponent in one byte or three, the exponent, and the modulus. */
function rsaJwk(key: Buffer): Record<string, string> | null {
  const isLong = key[0] === 0;
  if (key.length < (isLong ? 3 : 1)) return null;
  const start = isLong ? 3 : 1;
  const length = isLong ? key.readUInt16BE(1) : key[0]!;
  const [exponent, modulus] = [key.subarray(start, start + length), key.subarray(start + length)];
  if (length > MOST_EXPONENT_BYTES || modulus.length === 0 || modulus.length > MOST_MODULUS_BYTES) return null;
  return { kty: 'RSA', n: text(modulus), e: text(exponent) };
}

/** The key of a DNSKEY record; null for one that signs no records of a zone. */
export function readZoneKey({ data }: Pick<DnsRecord, 'data'>): ZoneKey | null {
  if (data.length <= HEADER_BYTES || data[2] !== DNSSEC_PROTOCOL) return null;
  const flags = data.readUInt16BE(0);
  if ((flags & ZONE_FLAG) === 0 || (flags & REVOKED_FLAG) !== 0) return null;
  const algorithm = data[3]!;
  return { tag: keyTag(data), algorithm, data, key: importKey(algorithm, data.subarray(HEADER_BYTES)) };
}

function importKey(algorithm: number, bytes: Buffer): KeyObject | null {
  const jwk = ALGORITHMS[algorithm]?.jwkOf(bytes);
  if (!jwk) return null;
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}

/** RFC 4034 appendix B. */
function keyTag(data: Buffer): number {
  let sum = 0;
  for (const [index, byte] of data.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}

export function isSupported({ algorithm, digestType }: KeyDigest): boolean {
  return algorithm in ALGORITHMS && digestType in DIGESTS;
}

/** The digest of a DS record; null for one that is too short. */
export function readKeyDigest(data: Buffer): KeyDigest | null {
  if (data.length <= HEADER_BYTES) return null;
  return {
    tag: data.readUInt16BE(0),
    algorithm: data[2]!,
    digestType: data[3]!,
    digest: data.subarray(HEADER_BYTES),
  };
}

export function isDigestOf(one: KeyDigest, zone: Buffer, key: ZoneKey): boolean {
  if (one.tag !== key.tag || one.algorithm !== key.algorithm) return false;
  return createHash(DIGESTS[one.digestType]!).update(zone).update(key.data).digest().equals(one.digest);
}

export function isSignatureOf(signature: Buffer, signed: Buffer, { algorithm, key }: ZoneKey): boolean {
  if (!key) return false;
  // The other algorithms ignore the encoding, which is that of RFC 6605 §4 for curves.
  return verify(ALGORITHMS[algorithm]!.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
}
