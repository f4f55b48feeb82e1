import { expect } from 'chai';
import fc from 'fast-check';
import { looksLikeApiKey, makeApiKey, parseApiKey } from './api-key-text.js';

const FORMAT = /^wpk_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{43}$/;

describe('The text of an API key', () => {
  it('has the format that secret scanners look for, and is another one each time', () => {
    const keys = Array.from({ length: 500 }, () => makeApiKey());
    for (const { key, prefix, hash } of keys) {
      expect(key).to.match(FORMAT);
      expect(looksLikeApiKey(key)).to.equal(true);
      expect(parseApiKey(key)).to.deep.equal({ prefix, hash });
      expect(key.startsWith(`${prefix}_`)).to.equal(true);
      expect(prefix).to.have.length(16);
      expect(hash).to.have.length(32);
    }
    for (const part of ['key', 'prefix'] as const) expect(new Set(keys.map((made) => made[part])).size).to.equal(500);
  });

  it('is read only where it has exactly this format', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseApiKey(text) !== undefined).to.equal(FORMAT.test(text));
      }),
    );
    fc.assert(
      fc.property(fc.nat(59), fc.constantFrom('', '.', ' ', '\n', 'é', '\0', '_-'), (at, other) => {
        const { key } = makeApiKey();
        const changed = key.slice(0, at) + other + key.slice(at + 1);
        expect(parseApiKey(changed) !== undefined, JSON.stringify(changed)).to.equal(FORMAT.test(changed));
      }),
    );
    for (const around of [(key: string) => `${key}\n`, (key: string) => ` ${key}`, (key: string) => `${key}A`])
      expect(parseApiKey(around(makeApiKey().key))).to.equal(undefined);
  });

  it('gives another digest and the same prefix where the secret differs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 17, max: 59 }), (at) => {
        const { key, prefix, hash } = makeApiKey();
        const other = `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;
        const parsed = parseApiKey(other)!;
        expect(parsed.prefix).to.equal(prefix);
        expect(parsed.hash.equals(hash)).to.equal(false);
      }),
    );
  });
});
