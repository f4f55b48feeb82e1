import { expect } from 'chai';
import { registrableDomain, siteOfUrl } from './registrable-domain.js';

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

describe('the site of a monitor', () => {
  const cases = {
    'https://shop.example.com/a': 'example.com',
    'http://API.example.com:8080?x': 'example.com',
    'https://www.shop.co.uk/': 'shop.co.uk',
    'https://somebody.github.io/': 'somebody.github.io',
    'https://192.0.2.7:8443/': '192.0.2.7',
    'tcp://[2001:DB8::7]:53': '2001:db8::7',
    'udp://ns1.example.net:53': 'example.net',
    'mail.example.org': 'example.org',
    'http://localhost:8080/': 'localhost',
  };
  for (const [url, site] of Object.entries(cases))
    it(`at ${url} is ${site}`, () => {
      expect(siteOfUrl(url)).to.equal(site);
    });
});
