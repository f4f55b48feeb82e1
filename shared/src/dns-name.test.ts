import { expect } from 'chai';
import fc from 'fast-check';
import { dnsNameFault } from './dns-name.js';
import { parseUrl } from './parse-url.js';

const label = (length: number) => 'a'.repeat(length);

describe('a host name for DNS', () => {
  it('has labels of at most 63 octets and at most 253 octets in all', () => {
    expect(dnsNameFault(`${label(63)}.example`)).to.equal(null);
    expect(dnsNameFault(`${label(64)}.example`))
      .to.contain('63 octets')
      .and.to.contain('64');
    const longest = `${Array.from({ length: 4 }, () => label(62)).join('.')}.a`;
    expect(longest).to.have.length(253);
    expect(dnsNameFault(longest)).to.equal(null);
    expect(dnsNameFault(`${longest}.`)).to.equal(null);
    expect(dnsNameFault(`${longest}a`))
      .to.contain('253 octets')
      .and.to.contain('254');
  });

  it('has no empty label, but can end with a dot', () => {
    for (const name of ['a..example', '.example', 'example..', '.']) expect(dnsNameFault(name), name).to.be.a('string');
    for (const name of ['example', 'example.', '_dmarc.a.example']) expect(dnsNameFault(name), name).to.equal(null);
  });

  it('can be an address', () => {
    for (const host of ['192.0.2.7', '[2001:db8::1]', '2001:db8::1']) expect(dnsNameFault(host), host).to.equal(null);
  });

  it('is measured in punycode, as the fault states', () => {
    const hostOf = (name: string) => parseUrl(`http://${name}/`)!.hostname;
    expect(dnsNameFault(hostOf(`${'ü'.repeat(30)}.example`))).to.equal(null);
    expect(dnsNameFault(hostOf(`${'ü'.repeat(60)}.example`))).to.contain('punycode');
  });

  it('is valid exactly if its labels and its length are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 8 }), (lengths) => {
        const name = lengths.map(label).join('.');
        const isFine = name.length <= 253 && lengths.every((length) => length <= 63);
        expect(dnsNameFault(name) === null).to.equal(isFine);
      }),
    );
  });
});
