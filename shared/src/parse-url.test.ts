import { expect } from 'chai';
import { parseUrl } from './parse-url.js';

describe('a URL', () => {
  it('is parsed with its name in ASCII, even after the engine has optimised the parser', () => {
    for (let turn = 0; turn < 20_000; turn += 1) {
      const host = parseUrl('https://Bücher.example/x')?.hostname;
      if (host !== 'xn--bcher-kva.example') expect.fail(`turn ${turn}: ${host}`);
    }
  });

  it('is parsed relative to another one', () => {
    expect(parseUrl('/größe?ä', 'https://a.example/x')?.href).to.equal('https://a.example/gr%C3%B6%C3%9Fe?%C3%A4');
    expect(parseUrl('//b.example', new URL('http://a.example/'))?.href).to.equal('http://b.example/');
  });

  it('is undefined for any other text', () => {
    for (const text of ['', 'a', 'https://', 'https://a b/', 'http://[::1', '//b.example'])
      expect(parseUrl(text), text).to.equal(undefined);
  });
});
