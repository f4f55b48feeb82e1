/**
 * Ranges that are not globally reachable: the IANA special-purpose address registries (RFC 6890 and its updates, as of
 * 2026), multicast, and unallocated space. They are tried in this order; the text is the end of a sentence.
 */
const V4 = [
  ['0.0.0.0', 8, 'an unspecified address'],
  ['10.0.0.0', 8, 'a private address'],
  ['100.64.0.0', 10, 'a shared address of a carrier'],
  ['127.0.0.0', 8, 'a loopback address'],
  ['169.254.0.0', 16, 'a link-local address'],
  ['172.16.0.0', 12, 'a private address'],
  ['192.0.0.0', 24, 'an address reserved for protocols'],
  ['192.0.2.0', 24, 'a documentation address'],
  ['192.88.99.0', 24, 'a 6to4 relay address'],
  ['192.168.0.0', 16, 'a private address'],
  ['198.18.0.0', 15, 'a benchmarking address'],
  ['198.51.100.0', 24, 'a documentation address'],
  ['203.0.113.0', 24, 'a documentation address'],
  ['224.0.0.0', 4, 'a multicast address'],
  ['255.255.255.255', 32, 'the broadcast address'],
  ['240.0.0.0', 4, 'a reserved address'],
] as const;

/** Only 2000::/3 is allocated; these ranges are listed so that the refusal can name them. */
const V6: readonly (readonly [readonly number[], number, string, string])[] = [
  [[0, 0, 0, 0, 0, 0, 0, 0], 128, 'the unspecified address', '::/128'],
  [[0, 0, 0, 0, 0, 0, 0, 1], 128, 'the loopback address', '::1/128'],
  [[0, 0, 0, 0, 0, 0], 96, 'an IPv4-compatible address', '::/96'],
  [[0, 0, 0, 0, 0xffff, 0], 96, 'an IPv4-translated address', '::ffff:0:0:0/96'],
  [[0x64, 0xff9b, 1], 48, 'an address of a local IPv4 translator', '64:ff9b:1::/48'],
  [[0x100, 0, 0, 0], 64, 'a discard address', '100::/64'],
  [[0x100, 0, 0, 1], 64, 'a dummy address', '100:0:0:1::/64'],
  [[0x2001, 0], 32, 'a Teredo address', '2001::/32'],
  [[0x2001, 2, 0], 48, 'a benchmarking address', '2001:2::/48'],
  [[0x2001, 0xdb8], 32, 'a documentation address', '2001:db8::/32'],
  [[0x2001, 0], 23, 'an address reserved for protocols', '2001::/23'],
  [[0x2002], 16, 'a 6to4 address', '2002::/16'],
  [[0x3fff, 0], 20, 'a documentation address', '3fff::/20'],
  [[0x5f00], 16, 'a segment routing address', '5f00::/16'],
  [[0xfc00], 7, 'a private address', 'fc00::/7'],
  [[0xfe80], 10, 'a link-local address', 'fe80::/10'],
  [[0xfec0], 10, 'a site-local address', 'fec0::/10'],
  [[0xff00], 8, 'a multicast address', 'ff00::/8'],
];

/**
 * Where clouds serve a machine's own credentials and settings. Some lie in ranges that an operator may
 * well allow, or (Azure's) among public addresses.
 */
const METADATA_V4 = [
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
];
const METADATA_V6 = [
  'fd00:ec2:0:0:0:0:0:254',
  'fd00:ec2:0:0:0:0:0:253',
  'fd00:ec2:0:0:0:0:0:23',
  'fd20:ce:0:0:0:0:0:254',
];

const toNumber = (address: string): number => address.split('.').reduce((value, part) => value * 256 + Number(part), 0);

export const V4_SPECIAL = V4.map(([address, bits, name]) => ({
  network: toNumber(address),
  mask: (0xffffffff << (32 - bits)) >>> 0,
  text: `${name} (${address}/${bits})`,
}));

export const V6_SPECIAL = V6.map(([network, bits, name, range]) => ({ network, bits, text: `${name} (${range})` }));

export const METADATA_ADDRESSES: { v4: ReadonlySet<number>; v6: ReadonlySet<string> } = {
  v4: new Set(METADATA_V4.map(toNumber)),
  v6: new Set(
    METADATA_V6.map((address) =>
      address
        .split(':')
        .map((group) => Number.parseInt(group, 16))
        .join(':'),
    ),
  ),
};
