import { createHash } from 'node:crypto';
import { type DnsRecord, inLowerCase, TYPE_NUMBERS } from '@watchpost/shared/names/dns-message';
import { compareNames, isWithin, labelCount, type WireName } from './wire-name.js';

/** A record that states what a zone does not have: which types a name has, and that no name is before the next one. */
export interface DenialRecord {
  owner: WireName;
  types: ReadonlySet<number>;
  /** Decides whether it is about this very name. */
  matches(name: WireName): boolean;
  /** Decides whether it states that the name does not exist. */
  covers(name: WireName): boolean;
  /** For NSEC: the next name. */
  next: WireName | null;
  /** Unsigned delegations may be among the names that it covers (RFC 5155 §6). */
  isOptOut: boolean;
}

/** More iterations are not computed, and the zone counts as unsigned there (RFC 9276 §3.2). */
export const MOST_ITERATIONS = 50;
const SHA1_BYTES = 20;
const BASE32 = '0123456789abcdefghijklmnopqrstuv';

/** RFC 4034 §4.1; null for an invalid one. */
export function readNsec({ owner, data }: DnsRecord): DenialRecord | null {
  let end = 0;
  while (data[end] !== undefined && data[end] !== 0) {
    if (data[end]! >= 0x40) return null;
    end += 1 + data[end]!;
  }
  if (end >= data.length) return null;
  const next = inLowerCase(data.subarray(0, end + 1));
  const types = readTypes(data.subarray(end + 1));
  if (!types) return null;
  return {
    owner,
    types,
    next,
    isOptOut: false,
    matches: (name) => name.equals(owner),
    covers: (name) => isBetween(compareNames, owner, name, next),
  };
}

/** The parameters of NSEC3 records; those of one answer are alike. */
export interface HashParameters {
  iterations: number;
  salt: Buffer;
}

/** RFC 5155 §3: null for an invalid one, and for a hash that is not known. */
export function readNsec3(
  { owner, data }: DnsRecord,
  zone: WireName,
  hashOf: (name: WireName, parameters: HashParameters) => Buffer,
): (DenialRecord & { parameters: HashParameters }) | null {
  const saltEnd = 5 + (data[4] ?? 0);
  const hashEnd = saltEnd + 1 + SHA1_BYTES;
  const isOfZone = labelCount(owner) === labelCount(zone) + 1 && isWithin(owner, zone);
  if (!isOfZone || data.length < hashEnd || data[0] !== 1 || data[1]! > 1 || data[saltEnd] !== SHA1_BYTES) return null;
  const own = fromBase32(owner.subarray(1, 1 + owner[0]!).toString('latin1'));
  const types = readTypes(data.subarray(hashEnd));
  if (own?.length !== SHA1_BYTES || !types) return null;
  const next = data.subarray(saltEnd + 1, hashEnd);
  const parameters = { iterations: data.readUInt16BE(2), salt: data.subarray(5, saltEnd) };
  const hash = (name: WireName): Buffer => hashOf(name, parameters);
  return {
    owner,
    types,
    next: null,
    parameters,
    isOptOut: data[1] === 1,
    matches: (name) => hash(name).equals(own),
    covers: (name) => isBetween((a, b) => a.compare(b), own, hash(name), next),
  };
}

/** The hash of a name (RFC 5155 §5). */
export function hashName(name: WireName, { iterations, salt }: HashParameters): Buffer {
  let hash: Buffer = name;
  for (let round = 0; round <= iterations; round++) hash = createHash('sha1').update(hash).update(salt).digest();
  return hash;
}

/** The last record of a zone leads to its first one. */
function isBetween(order: (one: Buffer, other: Buffer) => number, from: Buffer, at: Buffer, to: Buffer): boolean {
  const isAfter = order(from, at) < 0;
  const isBefore = order(at, to) < 0;
  return order(from, to) < 0 ? isAfter && isBefore : isAfter || isBefore;
}

/** RFC 4034 §4.1.2: bits in windows of 256 types; null for an invalid one. */
function readTypes(data: Buffer): Set<number> | null {
  const types = new Set<number>();
  for (let at = 0; at < data.length;) {
    const [window, length] = [data[at]!, data[at + 1] ?? 0];
    if (length === 0 || length > 32 || at + 2 + length > data.length) return null;
    for (let bit = 0; bit < 8 * length; bit++)
      if ((data[at + 2 + (bit >> 3)]! & (0x80 >> (bit & 7))) !== 0) types.add(256 * window + bit);
    at += 2 + length;
  }
  return types;
}

/** RFC 4648 §7, without padding; null for other characters. */
function fromBase32(text: string): Buffer | null {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const char of text) {
    const digit = BASE32.indexOf(char);
    if (digit < 0) return null;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}

/** Decides whether it is of a delegation or an alias of a subtree, whose zone states nothing about the names below (RFC 6840 §4.1). */
export function endsAt({ types }: DenialRecord): boolean {
  return types.has(TYPE_NUMBERS.DNAME) || (types.has(TYPE_NUMBERS.NS) && !types.has(TYPE_NUMBERS.SOA));
}
