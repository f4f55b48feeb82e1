import { isIP } from 'node:net';
import { isInRanges, parseCidrs } from '@watchpost/shared/address-ranges';

/** No real chain of proxies is longer. */
const MAX_HOPS = 32;

/**
 * Makes the function that finds the caller's address. `X-Forwarded-For` is read from right to left and only
 * through peers inside the trusted ranges, so a caller cannot name an address of its own choice.
 * @param trustedCidrs ranges such as `10.0.0.0/8` or `fd00::/8`, already checked
 */
export function remoteAddressReader(
  trustedCidrs: readonly string[],
): (peer: string | undefined, forwardedFor: string | undefined) => string {
  const trusted = parseCidrs(trustedCidrs);
  const isTrusted = (address: string) => isInRanges(trusted, address);
  return (peer, forwardedFor) => {
    let address = plainAddress(peer ?? '') ?? '';
    if (trustedCidrs.length === 0 || forwardedFor === undefined) return address;
    const hops = forwardedFor.split(',').slice(-MAX_HOPS);
    while (address !== '' && isTrusted(address)) {
      const next = hops.pop();
      const named = next === undefined ? undefined : plainAddress(next.trim());
      if (named === undefined) break;
      address = named;
    }
    return address;
  };
}

/** The address without port, brackets, zone or IPv4-mapping; undefined if the text is not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3})(?::\d+)?$/.exec(text)?.[1] ?? text;
  const unzoned = bare.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/.exec(unzoned)?.[1] ?? unzoned;
  return isIP(mapped) === 0 ? undefined : mapped;
}

/** The unit of limits per caller: an IPv4 address, or the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  return isIP(address) === 6 ? `${groupsOf(address, 4)}::/64` : address;
}

/** The unit of turns among senders who are not known: an IPv4 address, which many may share, or an IPv6 /48, which one person can own. */
export function senderBlock(address: string): string {
  return isIP(address) === 6 ? networkBlock(address) : address;
}

/** The unit of limits per network, which one person or company can easily own: an IPv4 /24, or an IPv6 /48. */
export function networkBlock(address: string): string {
  if (isIP(address) === 6) return `${groupsOf(address, 3)}::/48`;
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The first groups of an IPv6 address, in their shortest spelling. */
function groupsOf(address: string, count: number): string {
  const [head = '', tail = ''] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const gap = address.includes('::') ? 8 - left.length - right.length : 0;
  const groups = [...left, ...Array<string>(Math.max(0, gap)).fill('0'), ...right];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
