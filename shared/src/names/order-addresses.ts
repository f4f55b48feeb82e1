import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** RFC 6724 §2.1, the default table: prefix, precedence, label. The longest prefix counts. */
const POLICY: readonly [prefix: [ipaddr.IPv6, number], precedence: number, label: number][] = (
  [
    ['::1/128', 50, 0],
    ['::ffff:0:0/96', 35, 4],
    ['::/96', 1, 3],
    ['2001::/32', 5, 5],
    ['2002::/16', 30, 2],
    ['3ffe::/16', 1, 12],
    ['fec0::/10', 1, 11],
    ['fc00::/7', 3, 13],
    ['::/0', 40, 1],
  ] as const
).map(([range, precedence, label]) => [ipaddr.IPv6.parseCIDR(range), precedence, label]);

const SCOPES = { linkLocal: 0x2, global: 0xe } as const;

/**
 * Orders the addresses of a name by RFC 6724 §6, with the rules that depend on the machine's own addresses: 1 (usable),
 * 2 (scope), 5 (label), 6 (precedence), 8 (smaller scope), 9 (longest common prefix, IPv6 only) and 10 (original order).
 * Rules 3, 4 and 7 need the state of addresses (deprecated, home, native), which a program does not get.
 * @param own the addresses of this machine, those of loopback among them
 */
export function orderAddresses(addresses: readonly string[], own: readonly string[]): string[] {
  if (addresses.length < 2) return [...addresses];
  const sources = own.map(parsed).filter((source) => source !== undefined);
  const ranked = addresses.map((text, index) => {
    const address = parsed(text);
    const source = address && sourceFor(address, sources);
    return { text, index, rank: rankOf(address, source), common: address && source ? commonBits(address, source) : 0 };
  });
  ranked.sort((a, b) => {
    const different = a.rank.findIndex((value, rule) => value !== b.rank[rule]);
    if (different >= 0) return b.rank[different]! - a.rank[different]!;
    return b.common - a.common || a.index - b.index;
  });
  return ranked.map(({ text }) => text);
}

/** Greater is better, rule by rule. */
function rankOf(address: Address | undefined, source: Address | undefined): number[] {
  if (!address) return [0, 0, 0, 0, 0];
  const [, precedence, label] = policyOf(address);
  return [
    source ? 1 : 0,
    source && scopeOf(source) === scopeOf(address) ? 1 : 0,
    source && policyOf(source)[2] === label ? 1 : 0,
    precedence,
    -scopeOf(address),
  ];
}

/** The source address: of the same family and, if possible, of the same scope and label. */
function sourceFor(address: Address, sources: readonly Address[]): Address | undefined {
  const family = sources.filter(
    (source) => source.kind() === address.kind() && isLoopback(source) === isLoopback(address),
  );
  const rate = (source: Address): number =>
    (scopeOf(source) === scopeOf(address) ? 2 : 0) + (policyOf(source)[2] === policyOf(address)[2] ? 1 : 0);
  return family.reduce<Address | undefined>((best, one) => (best && rate(best) >= rate(one) ? best : one), undefined);
}

function policyOf(address: Address): (typeof POLICY)[number] {
  const v6 = address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address;
  let best = POLICY.at(-1)!;
  for (const entry of POLICY) if (entry[0][1] >= best[0][1] && v6.match(entry[0])) best = entry;
  return best;
}

/** RFC 6724 §3.1 and §3.2. */
function scopeOf(address: Address): number {
  const range = address.range();
  return range === 'linkLocal' || range === 'loopback' ? SCOPES.linkLocal : SCOPES.global;
}

function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}

/** The common prefix of the first 64 bits of two IPv6 addresses; 0 for IPv4, where it would undo the balancing of a name server. */
function commonBits(one: Address, other: Address): number {
  if (one instanceof ipaddr.IPv4 || other instanceof ipaddr.IPv4) return 0;
  for (let index = 0; index < 4; index++) {
    const difference = one.parts[index]! ^ other.parts[index]!;
    if (difference !== 0) return index * 16 + Math.clz32(difference) - 16;
  }
  return 64;
}

function parsed(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}
