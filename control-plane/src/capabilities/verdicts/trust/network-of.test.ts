import { expect } from 'chai';
import { networkOf } from './network-of.js';

describe('the network of an address', () => {
  const cases: [string | null, string | null][] = [
    ['203.0.113.7:443', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.0/24'],
    ['[2001:db8:1:2::7]:443', '2001:db8:1::/48'],
    ['2001:DB8:1::', '2001:db8:1::/48'],
    ['[::1]:80', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.0/24'],
    ['[64:ff9b::cb00:7107]:443', '203.0.113.0/24'],
    ['/run/service.sock', null],
    ['', null],
    [null, null],
  ];
  for (const [address, network] of cases)
    it(`of ${address ?? 'a name that did not resolve'} is ${network ?? 'none'}`, () => {
      expect(networkOf(address)).to.equal(network);
    });
});
