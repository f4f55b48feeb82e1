import { contains, embeddedV4, parseCidrs, parseV4, parseV6 } from './address-ranges.js';
import { METADATA_ADDRESSES, V4_SPECIAL, V6_SPECIAL } from './special-addresses.js';

/** Decides to which addresses connections are allowed. Pure and cheap: called at every connect. */
export interface EgressPolicy {
  /** False for text that is no IP address, and for addresses that are neither globally reachable nor on the allow list. */
  allows(address: string): boolean;
  /** The reason, as the end of a sentence: `10.0.0.1 is a private address (10.0.0.0/8)`. */
  why(address: string): string;
  /**
   * Why the host of a URL may not be used, as the end of a sentence; null where it may. Null for names other than
   * `localhost`, whose addresses are checked at connect.
   */
  refusal(host: string): string | null;
}

export interface EgressOptions {
  /** Allowed ranges beyond public addresses, such as `10.0.0.0/8`, `::1/128` or a single address. */
  allowCidrs: readonly string[];
  /** Ranges that are refused even if they are allowed; default none. */
  denyCidrs?: readonly string[];
  /**
   * Of a private location: where ranges are allowed, nothing else is, not even public addresses; and an allowed range contains the
   * addresses of this machine only if it is of one address alone. Default false.
   */
  isLocation?: boolean;
  /**
   * Addresses of this machine, refused unless an allowed range contains them; default none. Called for every decision; the
   * list is parsed again when the array is another one.
   */
  ownAddresses?: () => readonly string[];
}

/** The kind of a URL's host, before any lookup. */
export type HostClass = { kind: 'address'; address: string } | { kind: 'localhost' } | { kind: 'name' };

interface Verdict {
  allowed: boolean;
  text: string;
}

const PUBLIC: Verdict = { allowed: true, text: 'a public address' };
const OWN = 'an address of this machine';
const OUTSIDE = 'outside the ranges of its private location';
const NO_ADDRESS: Verdict = { allowed: false, text: 'not an IP address' };
/** @throws RangeError with every invalid range */
export function createEgressPolicy(options: EgressOptions): EgressPolicy {
  const { v4, v6 } = parseCidrs(options.allowCidrs);
  const denied = parseCidrs(options.denyCidrs ?? []);
  const isOwn = ownAddressCheck(options.ownAddresses ?? (() => []));
  const isLocation = options.isLocation ?? false;
  const isClosed = isLocation && options.allowCidrs.length > 0;

  const decideV4 = (value: number): Verdict => {
    const refused = denied.v4.find((range) => (value & range.mask) >>> 0 === range.network);
    if (refused) return { allowed: false, text: `refused by ${refused.text}` };
    const special = V4_SPECIAL.find((range) => (value & range.mask) >>> 0 === range.network);
    const metadata = METADATA_ADDRESSES.v4.has(value);
    const own = isOwn(value);
    if (special === undefined && !metadata && !own && !isClosed) return PUBLIC;
    // A metadata service returns the machine's credentials: a wide range does not allow it.
    const isNamed = metadata || (isLocation && own);
    const allowed = v4.find(
      (range) => (value & range.mask) >>> 0 === range.network && (!isNamed || range.mask === 0xffffffff),
    );
    if (allowed) return { allowed: true, text: `allowed by ${allowed.text}` };
    if (metadata) return { allowed: false, text: 'a cloud metadata address' };
    return { allowed: false, text: isClosed && !own ? OUTSIDE : (special?.text ?? OWN) };
  };
  const decideV6 = (parts: readonly number[]): Verdict => {
    const embedded = embeddedV4(parts);
    if (embedded !== null) return decideV4(embedded);
    const refused = denied.v6.find((range) => contains(range, parts));
    if (refused) return { allowed: false, text: `refused by ${refused.text}` };
    const name = parts.join(':');
    const metadata = METADATA_ADDRESSES.v6.has(name);
    const own = isOwn(name);
    const special = V6_SPECIAL.find((range) => contains(range, parts));
    if (special === undefined && !metadata && !own && !isClosed && (parts[0]! & 0xe000) === 0x2000) return PUBLIC;
    const isNamed = metadata || (isLocation && own);
    const allowed = v6.find((range) => contains(range, parts) && (!isNamed || range.bits === 128));
    if (allowed) return { allowed: true, text: `allowed by ${allowed.text}` };
    if (metadata) return { allowed: false, text: 'a cloud metadata address' };
    if (isClosed && !own) return { allowed: false, text: OUTSIDE };
    return { allowed: false, text: special?.text ?? (own ? OWN : 'a reserved address') };
  };
  const decide = (address: string): Verdict => {
    const value = parseV4(address);
    if (value !== null) return decideV4(value);
    const parts = parseV6(address);
    return parts === null ? NO_ADDRESS : decideV6(parts);
  };
  const why = (address: string): string => `${address} is ${decide(address).text}`;

  return {
    allows: (address) => decide(address).allowed,
    why,
    refusal(host) {
      const found = classifyHost(host);
      if (found.kind === 'name') return null;
      if (found.kind === 'address') return decide(found.address).allowed ? null : why(found.address);
      return decide('127.0.0.1').allowed || decide('::1').allowed ? null : `${host} is this machine itself`;
    },
  };
}

/**
 * Distinguishes an address from a name, in every notation that a URL parser accepts (decimal, hex, octal, short forms, IPv6
 * with or without brackets), even if the host comes from a `tcp://` URL, whose parser does not convert it.
 */
export function classifyHost(host: string): HostClass {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (parseV6(bare) !== null) return { kind: 'address', address: bare.toLowerCase() };
  let name: string;
  try {
    name = new URL(`http://${host}/`).hostname;
  } catch {
    return { kind: 'name' };
  }
  if (parseV4(name) !== null) return { kind: 'address', address: name };
  const withoutDot = name.endsWith('.') ? name.slice(0, -1) : name;
  return withoutDot === 'localhost' || withoutDot.endsWith('.localhost') ? { kind: 'localhost' } : { kind: 'name' };
}

/** Addresses for comparison: the number of an IPv4 address, or the eight groups of an IPv6 one. */
function ownAddressCheck(ownAddresses: () => readonly string[]): (address: number | string) => boolean {
  let read: readonly string[] | undefined;
  let own = new Set<number | string>();
  return (address) => {
    const now = ownAddresses();
    if (now !== read) {
      read = now;
      own = new Set(now.flatMap((text) => parseV4(text) ?? parseV6(text)?.join(':') ?? []));
    }
    return own.has(address);
  };
}
