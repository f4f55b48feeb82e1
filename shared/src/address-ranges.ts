import { isIPv6 } from 'node:net';

export interface V4Range {
  network: number;
  mask: number;
  text: string;
}

export interface V6Range {
  network: readonly number[];
  bits: number;
  text: string;
}

export interface AddressRanges {
  v4: V4Range[];
  v6: V6Range[];
}

const MAPPING = [0, 0, 0, 0, 0, 0xffff] as const;
/** Prefixes with an IPv4 address in their last 32 bits: RFC 4291 §2.5.5.2 and RFC 6052 §2.1. */
const EMBEDDING = [MAPPING, [0x64, 0xff9b, 0, 0, 0, 0]] as const;

export const ADDRESS_FAMILIES = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
export type AddressFamily = keyof typeof ADDRESS_FAMILIES;

export function familyOf(address: string): AddressFamily {
  return plainAddress(address).includes(':') ? 'ipv6' : 'ipv4';
}

/** The IPv4 address within an IPv4-mapped one (RFC 4291 §2.5.5.2); any other address as it is. */
export function plainAddress(address: string): string {
  const parts = address.includes(':') ? parseV6(address) : null;
  if (parts === null || MAPPING.some((group, index) => parts[index] !== group)) return address;
  return [parts[6]! >> 8, parts[6]! & 0xff, parts[7]! >> 8, parts[7]! & 0xff].join('.');
}

/** Strict dotted decimal, the format of resolvers and sockets. */
export function parseV4(text: string): number | null {
  let value = 0;
  let part = -1;
  let dots = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (part < 0 || ++dots > 3) return null;
      value = value * 256 + part;
      part = -1;
    } else if (code >= 48 && code <= 57) {
      if (part === 0) return null;
      part = (part < 0 ? 0 : part * 10) + code - 48;
      if (part > 255) return null;
    } else return null;
  }
  return dots === 3 && part >= 0 ? value * 256 + part : null;
}

/**
 * Parses eight groups, without the zone of a scoped address. Written out because ipaddr.js, unlike sockets, reads the
 * IPv4-compatible `::8.8.8.8` as the IPv4-mapped `::ffff:8.8.8.8`.
 */
export function parseV6(text: string): readonly number[] | null {
  if (!isIPv6(text)) return null;
  const zone = text.indexOf('%');
  let address = zone < 0 ? text : text.slice(0, zone);
  if (address.includes('.')) {
    const start = address.lastIndexOf(':') + 1;
    const value = parseV4(address.slice(start));
    if (value === null) return null;
    address = `${address.slice(0, start)}${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
  }
  const gap = address.indexOf('::');
  const parts = gap < 0 ? readGroups(address) : readGroups(address.slice(0, gap));
  if (gap >= 0) {
    const tail = readGroups(address.slice(gap + 2));
    while (parts.length + tail.length < 8) parts.push(0);
    parts.push(...tail);
  }
  return parts;
}

function readGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

export function embeddedV4(parts: readonly number[]): number | null {
  const carries = EMBEDDING.some((prefix) => prefix.every((group, index) => parts[index] === group));
  return carries ? parts[6]! * 65_536 + parts[7]! : null;
}

export function contains(range: Pick<V6Range, 'network' | 'bits'>, parts: readonly number[]): boolean {
  for (let index = 0, left = range.bits; left > 0; index++, left -= 16) {
    const mask = left >= 16 ? 0xffff : (0xffff << (16 - left)) & 0xffff;
    if ((parts[index]! & mask) !== range.network[index]) return false;
  }
  return true;
}

/** Whether the ranges contain an address. An IPv6 address with an embedded IPv4 address counts as that address. */
export function isInRanges({ v4, v6 }: AddressRanges, address: string): boolean {
  const parts = parseV6(address);
  const value = parts === null ? parseV4(address) : embeddedV4(parts);
  if (value !== null) return v4.some(({ network, mask }) => (value & mask) >>> 0 === network);
  return parts !== null && v6.some((range) => contains(range, parts));
}

/** What is wrong with a range, as the end of a sentence; null where nothing is. */
export function cidrFault(text: string): string | null {
  return addCidr(text, [], []);
}

/** @throws RangeError with every invalid range */
export function parseCidrs(texts: readonly string[]): AddressRanges {
  const v4: V4Range[] = [];
  const v6: V6Range[] = [];
  const faults: string[] = [];
  for (const text of texts) {
    const fault = addCidr(text.trim(), v4, v6);
    if (fault !== null) faults.push(`"${text}" ${fault}`);
  }
  if (faults.length > 0) throw new RangeError(`Not ranges of addresses: ${faults.join('; ')}.`);
  return { v4, v6 };
}

function addCidr(text: string, v4: V4Range[], v6: V6Range[]): string | null {
  const [address = '', length, ...rest] = text.split('/');
  const value = parseV4(address);
  const parts = value === null ? parseV6(address) : null;
  if (rest.length > 0 || (value === null && parts === null))
    return 'is neither an address nor a range such as 10.0.0.0/8 or fd00::/8';
  const most = value === null ? 128 : 32;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (bits < 0 || bits > most) return `needs a prefix length of 0 to ${most}`;
  // A range inside an embedding prefix is its IPv4 range.
  const inner = parts === null ? value : bits >= 96 ? embeddedV4(parts) : null;
  if (inner !== null) {
    const innerBits = parts === null ? bits : bits - 96;
    const mask = innerBits === 0 ? 0 : (0xffffffff << (32 - innerBits)) >>> 0;
    if ((inner & mask) >>> 0 !== inner) return 'has bits set beyond its prefix length';
    v4.push({ network: inner, mask, text });
    return null;
  }
  const range = { network: parts!, bits, text };
  const beyond = parts!.some((part, index) => {
    const kept = Math.max(0, Math.min(16, bits - index * 16));
    return (part & (0xffff >> kept)) !== 0;
  });
  if (beyond) return 'has bits set beyond its prefix length';
  v6.push(range);
  return null;
}
