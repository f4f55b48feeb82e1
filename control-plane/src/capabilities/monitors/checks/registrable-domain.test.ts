import { expect } from 'chai';
import { registrableDomain } from './registrable-domain.js';

describe('the registrable domain of a host', () => {
  const cases = {
    'www.example.com': 'example.com',
    'EXAMPLE.com.': 'example.com',
    'a.b.example.co.uk': 'example.co.uk',
    'somebody.github.io': 'somebody.github.io',
    'github.io': 'github.io',
    localhost: 'localhost',
    '192.0.2.7': '192.0.2.7',
    '[2001:db8::1]': '[2001:db8::1]',
    'xn--mnchen-3ya.de': 'xn--mnchen-3ya.de',
  };
  for (const [host, domain] of Object.entries(cases)) {
    it(`of ${host} is ${domain}`, () => {
      expect(registrableDomain(host)).to.equal(domain);
    });
  }
});
