import { expect } from 'chai';
import { siteOfUrl } from './site-of-url.js';

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
