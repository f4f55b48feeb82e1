import { BlockList, SocketAddress } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { classifyHost, createEgressPolicy } from './egress.js';

const nothingAllowed = createEgressPolicy({ allowCidrs: [] });
const octet = fc.integer({ min: 0, max: 255 });
const v4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.'));
const v6Parts = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
const hex = (address: string): string => {
  const [a, b, c, d] = address.split('.').map(Number);
  return `${((a! << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`;
};

describe('the egress policy', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '2a00::1',
    '2001:200::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    it(`allows the public address ${address}`, () => {
      expect(nothingAllowed.allows(address), nothingAllowed.why(address)).to.equal(true);
    });
  }

  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.1.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '100.100.100.200',
    '::',
    '::1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'e000::1',
  ]) {
    it(`refuses ${address}`, () => {
      expect(nothingAllowed.allows(address), nothingAllowed.why(address)).to.equal(false);
    });
  }

  it('gives the kind of a refused address', () => {
    expect(nothingAllowed.why('10.1.2.3')).to.equal('10.1.2.3 is a private address (10.0.0.0/8)');
    expect(nothingAllowed.why('::ffff:127.0.0.1')).to.equal('::ffff:127.0.0.1 is a loopback address (127.0.0.0/8)');
    expect(nothingAllowed.why('169.254.169.254')).to.equal('169.254.169.254 is a cloud metadata address');
    expect(nothingAllowed.why('1.1.1.1')).to.equal('1.1.1.1 is a public address');
    expect(nothingAllowed.why('example')).to.equal('example is not an IP address');
  });

  it('refuses text that is no address', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '01.2.3.4',
      '256.1.1.1',
      '0x7f000001',
      '2130706433',
      '1.1.1.1 ',
      '1..1.1',
      ':::',
      '[::1]',
      '1:2:3',
      '::ffff:1.2.3.999',
    ]) {
      expect(nothingAllowed.allows(text), text).to.equal(false);
    }
  });

  it('allows the operator’s ranges, and nothing else', () => {
    const policy = createEgressPolicy({
      allowCidrs: ['127.0.0.0/8', ' 10.1.0.0/16', '::1/128', 'fd12::/16', '192.168.1.9'],
    });
    for (const address of [
      '127.0.0.1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '10.1.255.255',
      '::1',
      'fd12:3456::1',
      '192.168.1.9',
      '1.1.1.1',
    ])
      expect(policy.allows(address), address).to.equal(true);
    for (const address of ['10.2.0.1', 'fd13::1', '192.168.1.8', '::2', '::ffff:10.2.0.1'])
      expect(policy.allows(address), address).to.equal(false);
    expect(policy.why('10.1.0.1')).to.equal('10.1.0.1 is allowed by 10.1.0.0/16');
  });

  it('allows a metadata address only if it is listed by itself', () => {
    const wide = createEgressPolicy({ allowCidrs: ['0.0.0.0/0', '::/0'] });
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '168.63.129.16',
      'fd00:ec2::254',
      'fd20:ce::254',
    ])
      expect(wide.allows(address), address).to.equal(false);
    expect(wide.allows('169.254.1.1')).to.equal(true);
    const named = createEgressPolicy({ allowCidrs: ['169.254.169.254/32', 'fd00:ec2::254'] });
    expect(named.allows('169.254.169.254')).to.equal(true);
    expect(named.allows('fd00:ec2::254')).to.equal(true);
  });

  it('reports every invalid range', () => {
    expect(() =>
      createEgressPolicy({
        allowCidrs: [
          '10.0.0.0/8',
          '10.0.0.0/33',
          'fd00::/129',
          'lan',
          '10.0.0.1/8',
          '1.2.3.4/5/6',
          'fd00::1/8',
          '10.0.0.0/',
        ],
      }),
    ).to.throw(
      RangeError,
      /"10\.0\.0\.0\/33" needs .* 0 to 32; "fd00::\/129" needs .* 0 to 128; "lan" is neither .*; "10\.0\.0\.1\/8" has bits .*; "1\.2\.3\.4\/5\/6" is neither .*; "fd00::1\/8" has bits .*; "10\.0\.0\.0\/" needs/,
    );
  });

  it('decides the same for an IPv4 address in every IPv6 notation that reaches it', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const plain = nothingAllowed.allows(address);
        expect(nothingAllowed.allows(`::ffff:${address}`)).to.equal(plain);
        expect(nothingAllowed.allows(`::ffff:${hex(address)}`)).to.equal(plain);
        expect(nothingAllowed.allows(`64:ff9b::${address}`)).to.equal(plain);
        expect(nothingAllowed.allows(`2002:${hex(address)}::1`)).to.equal(false);
      }),
    );
  });

  it('refuses every range of an independent register of special ranges', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const range = ipaddr.parse(address).range();
        if (nothingAllowed.allows(address)) expect(range).to.be.oneOf(['unicast', 'as112', 'amt']);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(
        v6Parts,
        fc.constantFrom(0x2001, 0x2002, 0x3fff, 0x2600, 0xfe80, 0xfc12, 0xff02, 0x64, 0),
        (parts, first) => {
          const address = new ipaddr.IPv6([first, ...parts.slice(1)]);
          if (nothingAllowed.allows(address.toString()))
            expect(address.range()).to.be.oneOf(['unicast', 'as112v6', 'rfc6052']);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('parses IPv6 as the standard library does', () => {
    const list = (address: string): BlockList => {
      const made = new BlockList();
      made.addAddress(address, 'ipv6');
      return made;
    };
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        // A policy that allows this one address finds it again in the spelling of another parser.
        const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
        expect(list(address).check(canonical, 'ipv6')).to.equal(true);
        expect(createEgressPolicy({ allowCidrs: [address] }).allows(canonical)).to.equal(true);
      }),
    );
  });

  it('allows exactly the addresses of a range', () => {
    fc.assert(
      fc.property(v4, v4, fc.integer({ min: 0, max: 32 }), (base, address, bits) => {
        const network = ipaddr.IPv4.networkAddressFromCIDR(`${base}/${bits}`);
        const policy = createEgressPolicy({ allowCidrs: [`${network.toString()}/${bits}`] });
        fc.pre(policy.why(address) !== `${address} is a cloud metadata address`);
        const inside = ipaddr.IPv4.parse(address).match(network, bits);
        expect(policy.allows(address)).to.equal(inside || nothingAllowed.allows(address));
      }),
    );
    fc.assert(
      fc.property(
        v6Parts,
        v6Parts,
        fc.integer({ min: 0, max: 128 }),
        fc.integer({ min: 0, max: 8 }),
        (base, other, bits, shared) => {
          const network = ipaddr.IPv6.networkAddressFromCIDR(`${new ipaddr.IPv6(base).toString()}/${bits}`);
          const address = new ipaddr.IPv6([...base.slice(0, shared), ...other.slice(shared)]);
          const policy = createEgressPolicy({ allowCidrs: [`${network.toString()}/${bits}`] });
          expect(policy.allows(address.toString())).to.equal(
            address.match(network, bits) || nothingAllowed.allows(address.toString()),
          );
        },
      ),
    );
  });
});

describe('the host of a URL', () => {
  it('is an address in every notation that a URL accepts', () => {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0x7f.1',
      '127.0.0.1.',
      '%3127.0.0.1',
      '１２７.0.0.1',
    ]) {
      expect(classifyHost(host), host).to.deep.equal({ kind: 'address', address: '127.0.0.1' });
      expect(classifyHost(new URL(`http://${host}/`).hostname), host).to.deep.equal({
        kind: 'address',
        address: '127.0.0.1',
      });
    }
    expect(classifyHost(new URL('http://[::FFFF:127.0.0.1]/').hostname)).to.deep.equal({
      kind: 'address',
      address: '::ffff:7f00:1',
    });
    expect(classifyHost('FE80::1')).to.deep.equal({ kind: 'address', address: 'fe80::1' });
  });

  it('is this machine for names of loopback', () => {
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost'])
      expect(classifyHost(host), host).to.deep.equal({ kind: 'localhost' });
  });

  it('is a name in all other cases', () => {
    for (const host of [
      'example.com',
      'localhost.example.com',
      'notlocalhost',
      '1.2.3.4.example',
      'bücher.example',
      'a b',
      '',
    ])
      expect(classifyHost(host), host).to.deep.equal({ kind: 'name' });
  });

  it('is refused before any lookup if it can never be allowed', () => {
    expect(nothingAllowed.refusal('0x7f.1')).to.equal('127.0.0.1 is a loopback address (127.0.0.0/8)');
    expect(nothingAllowed.refusal('[::1]')).to.equal('::1 is the loopback address (::1/128)');
    expect(nothingAllowed.refusal('localhost')).to.equal('localhost is this machine itself');
    expect(nothingAllowed.refusal('example.com')).to.equal(null);
    const local = createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] });
    expect(local.refusal('localhost')).to.equal(null);
    expect(local.refusal('127.1')).to.equal(null);
  });
});

describe('the egress policy of a private location', () => {
  const policy = createEgressPolicy({
    allowCidrs: ['10.20.0.0/16', '10.20.0.8', 'fd00::/8'],
    denyCidrs: ['10.20.9.0/24'],
    ownAddresses: () => ['10.20.0.7', '10.20.0.8'],
    isLocation: true,
  });

  it('allows what its ranges contain and nothing else, not even public addresses', () => {
    for (const address of ['10.20.1.1', 'fd00::5', '::ffff:10.20.1.1'])
      expect(policy.allows(address), address).to.equal(true);
    for (const address of [
      '10.21.0.1',
      '192.168.1.1',
      '8.8.8.8',
      '2606:4700::1111',
      '10.20.9.1',
      '127.0.0.1',
      'fe80::1',
    ])
      expect(policy.allows(address), address).to.equal(false);
    expect(policy.why('8.8.8.8')).to.equal('8.8.8.8 is outside the ranges of its private location');
  });

  it('allows an address of its own machine, or of a metadata service, only by a range of that address alone', () => {
    expect(policy.allows('10.20.0.7')).to.equal(false);
    expect(policy.allows('10.20.0.8')).to.equal(true);
    const wide = createEgressPolicy({ allowCidrs: ['0.0.0.0/0', '::/0'], isLocation: true });
    expect(wide.allows('8.8.8.8')).to.equal(true);
    for (const address of ['169.254.169.254', '168.63.129.16', 'fd00:ec2::254'])
      expect(wide.allows(address), address).to.equal(false);
  });

  it('allows public addresses where it has no ranges, as a region does', () => {
    const open = createEgressPolicy({ allowCidrs: [], isLocation: true });
    expect(open.allows('8.8.8.8')).to.equal(true);
    expect(open.allows('10.20.1.1')).to.equal(false);
  });
});
