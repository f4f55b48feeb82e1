import { expect } from 'chai';
import fc from 'fast-check';
import { orderAddresses } from './order-addresses.js';

const LOOPBACK = ['127.0.0.1', '::1'];
const V4_ONLY = [...LOOPBACK, '192.0.2.10'];
const BOTH = [...V4_ONLY, '2001:db8:1::10', 'fe80::1'];

describe('the order of addresses', () => {
  it('has IPv6 first if this machine has a global IPv6 address, and last otherwise', () => {
    expect(orderAddresses(['198.51.100.1', '2001:db8:2::1'], BOTH)).to.deep.equal(['2001:db8:2::1', '198.51.100.1']);
    expect(orderAddresses(['2001:db8:2::1', '198.51.100.1'], V4_ONLY)).to.deep.equal(['198.51.100.1', '2001:db8:2::1']);
  });

  it('follows the examples of RFC 6724 §10.2', () => {
    const cases: [own: string[], given: string[], expected: string[]][] = [
      [
        ['2001:db8:1::2', 'fe80::1', '169.254.13.78'],
        ['2001:db8:1::1', '198.51.100.121'],
        ['2001:db8:1::1', '198.51.100.121'],
      ],
      [
        ['fe80::1', '198.51.100.117'],
        ['2001:db8:1::1', '198.51.100.121'],
        ['198.51.100.121', '2001:db8:1::1'],
      ],
      [
        ['2001:db8:1::2', 'fe80::1', '10.1.2.4'],
        ['10.1.2.3', '2001:db8:1::1'],
        ['2001:db8:1::1', '10.1.2.3'],
      ],
      [
        ['2001:db8:1::2', 'fe80::2'],
        ['2001:db8:1::1', 'fe80::1'],
        ['fe80::1', '2001:db8:1::1'],
      ],
      [
        ['2002:c633:6401::2', 'fe80::2'],
        ['2002:c633:6401::1', '2001:db8:1::1'],
        ['2002:c633:6401::1', '2001:db8:1::1'],
      ],
      [
        ['2002:c633:6401::2', '2001:db8:1::2', 'fe80::2'],
        ['2002:c633:6401::1', '2001:db8:1::1'],
        ['2001:db8:1::1', '2002:c633:6401::1'],
      ],
    ];
    for (const [own, given, expected] of cases)
      expect(orderAddresses(given, own), `${given.join(' ')} from ${own.join(' ')}`).to.deep.equal(expected);
  });

  it('keeps the name server’s order of IPv4 addresses, which can balance a load', () => {
    const addresses = ['203.0.113.9', '192.0.2.77', '198.51.100.1'];
    expect(orderAddresses(addresses, BOTH)).to.deep.equal(addresses);
  });

  it('keeps every address, even an invalid one', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 8 }), (addresses) => {
        expect(orderAddresses(addresses, BOTH).toSorted()).to.deep.equal(addresses.toSorted());
      }),
    );
  });
});
