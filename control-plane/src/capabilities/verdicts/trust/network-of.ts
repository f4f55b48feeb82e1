import { isIPv4, isIPv6 } from 'node:net';

/** Prefixes with an IPv4 address in their last 32 bits: RFC 4291 §2.5.5.2 and RFC 6052 §2.1. */
const EMBEDDING = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/**
 * The network of an address that a check connected to: an IPv4 /24 or an IPv6 /48, roughly what one data centre announces.
 * @param address `ip`, `ip:port` or `[ip]:port`; null where the name did not resolve
 * @returns null if it is not an address
 */
export function networkOf(address: string | null): string | null {
  if (address === null) return null;
  const host = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? (isIPv6(address) ? address : address.replace(/:\d+$/, ''));
  if (isIPv4(host)) return v4Network(host.split('.').map(Number));
  return isIPv6(host) ? v6Network(host) : null;
}

function v4Network([a, b, c]: readonly number[]): string {
  return `${a}.${b}.${c}.0/24`;
}

function v6Network(host: string): string {
  // The URL parser writes every IPv6 address in one way: lower case, without embedded dots and zones.
  const [head = '', tail] = new URL(`http://[${host.split('%')[0]}]/`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  if (EMBEDDING.includes(groups.slice(0, 6).join(':'))) {
    const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16)) as [number, number];
    return v4Network([high >> 8, high & 0xff, low >> 8]);
  }
  return `${groups.slice(0, 3).join(':')}::/48`;
}
