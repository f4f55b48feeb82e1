import { expect } from 'chai';
import fc from 'fast-check';
import { createSecretMask } from './secret-mask.js';

const percent = (text: string) => encodeURIComponent(text);
const everyByte = (text: string) =>
  [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in a URL': percent,
  'in a form': (text) => percent(text).replaceAll('%20', '+'),
  'in a URL of lower-case digits': everyByte,
  'in JSON': json,
  'in JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'in JSON that is safe in HTML': (text) =>
    json(text).replaceAll(/[<>&'+=]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in a pattern': (text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`),
  'in HTML': escapeHtml,
  'in HTML by numbers': (text) => text.replaceAll(/[^\w ]/g, (one) => `&#${one.charCodeAt(0)};`),
  'in HTML by hexadecimal numbers': (text) =>
    text.replaceAll(/[^\w ]/g, (one) => `&#x${one.charCodeAt(0).toString(16).toUpperCase()};`),
  'in JSON in HTML': (text) => escapeHtml(json(text)),
  'in JSON in JSON': (text) => json(json(text)),
  'in a URL in JSON in HTML': (text) => escapeHtml(json(percent(text))),
  'in base64': (text) => Buffer.from(text, 'latin1').toString('base64'),
  'in base64 for URLs': (text) => Buffer.from(text, 'latin1').toString('base64url'),
};
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
/** One that ends like an escape begins may show this end where what follows makes an escape of it. */
const secretText = fc
  .array(visible, { minLength: 8, maxLength: 60 })
  .map((characters) => characters.join(''))
  .filter((text) => !/(?:%.?|\\(?:u.{0,3}|x.?)?|&#.{0,7})$/i.test(text));
const plainSecret = secretText.map((text) => text.replaceAll(/[%\\&]/g, 'x'));
const mask = (value: string, name = 'X-Auth-Key') => createSecretMask([{ name, value }])!;

describe('the mask of secret headers', () => {
  it('hides a value in every escaped form', () => {
    fc.assert(
      fc.property(secretText, fc.constantFrom(...Object.entries(WRITERS)), (secret, [, write]) => {
        const written = write(secret);
        // The last digit of base64 has too few bits of the value to reveal it.
        expect(mask(secret)(`You sent ${written} `)).to.match(/^You sent \*\*\*(?:[\w+/-]?={0,2}) $/);
        expect(mask(secret)(`"${written}", "${written}"`)).to.match(/^"\*\*\*[^"]{0,3}", "\*\*\*[^"]{0,3}"$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows at most three characters of a value that is cut off at the end of the text', () => {
    fc.assert(
      fc.property(plainSecret, fc.constantFrom(...Object.entries(WRITERS)), fc.nat(), (secret, [, write], where) => {
        const written = write(secret);
        const cut = written.slice(0, where % written.length);
        const shown = mask(secret)(`| ${cut}`)
          .slice(2)
          .replace(/\*\*\*[\w+/-]?=?$/, '');
        expect(written.startsWith(shown)).to.equal(true);
        expect(shown.length).to.be.below(write(secret.slice(0, 4)).length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('hides the base64 form of a text that contains a value', () => {
    fc.assert(
      fc.property(secretText, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (secret, before, after) => {
        const masked = mask(secret)(Buffer.from(`${before}${secret}${after}`, 'latin1').toString('base64'));
        // Digits that a neighbour has a part in remain: less than three bytes at either end.
        const left = masked.split('***');
        expect(left).to.have.length(2);
        expect(left[0]!.length).to.be.at.most(Math.ceil((Buffer.byteLength(before, 'latin1') * 4) / 3) + 2);
      }),
    );
  });

  it('hides the base64 form of a value beyond ASCII, as sign-ins encode it', () => {
    for (const secret of ['pässwörd', 'пароль-7', '暗証番号です'])
      for (const user of ['a', 'ab', 'abc']) {
        const shown = mask(secret)(Buffer.from(`${user}:${secret}`).toString('base64'));
        expect(shown, secret).to.match(/^.{2,6}\*\*\*.{0,3}$/);
      }
  });

  it('hides credentials after a scheme, passwords of Basic, and cookies', () => {
    const basic = Buffer.from('robot:hunter2!').toString('base64');
    const headers = [
      { name: 'Authorization', value: `Basic ${basic}` },
      { name: 'Cookie', value: 'sid=abcdef; theme=dark' },
      { name: 'Private-Token', value: 'glpat-12345' },
      { name: 'Accept', value: 'text/html-only' },
    ];
    const text = `Basic ${basic}, robot:hunter2!, hunter2!, sid=abcdef; theme=dark, abcdef, glpat-12345, text/html-only`;
    expect(createSecretMask(headers)!(text)).to.equal('Basic ***, robot:***, ***, ***, ***, ***, text/html-only');
    expect(createSecretMask(headers.slice(3))).to.equal(null);
    expect(createSecretMask([{ name: 'X-Api-Key', value: 'abc' }]), 'too short to be found').to.equal(null);
  });

  it('hides a value to its end even if it ends like an escape', () => {
    for (const secret of ['auth/key"of\\the&shop', 'at-100%25', 'back\\slash\\'])
      for (const [how, write] of Object.entries(WRITERS).slice(0, 11)) {
        const written = write(secret);
        expect(mask(secret)(`${written}\n`), how).to.equal('***\n');
        expect(mask(secret)(written), how).to.equal('***');
      }
  });

  it('hides a value with characters beyond ASCII in any encoding', () => {
    const hide = mask('pässwörd-ßß1');
    for (const written of [
      'pässwörd-ßß1',
      'p\ufffdssw\ufffdrd-\ufffd\ufffd1',
      percent('pässwörd-ßß1'),
      'p%e4ssw%f6rd-%df%df1',
    ])
      expect(hide(`<${written}>`), written).to.equal('<***>');
  });

  it('hides a value that has nothing but characters beyond ASCII', () => {
    for (const secret of ['пароль', '暗証番号です', 'пароль-7', 'ключ'])
      for (const written of [secret, percent(secret), JSON.stringify(secret), `${secret}${secret}`])
        expect(mask(secret)(`<${written}>, plain`), written).to.match(/^<"?\*\*\*(\*\*\*)?"?>, plain$/);
  });

  it('does not change other text', () => {
    const hide = mask('Zq7-unlikely-0042');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl(), fc.json()), (text) => {
        expect(hide(text)).to.equal(text);
      }),
    );
    expect(mask('Bearer abcdefgh', 'Authorization')('www-authenticate: Bearer realm="shop"')).to.include(
      'Bearer realm',
    );
  });

  it('has a cost that is linear in the length of any secrets and text', () => {
    for (const fill of ['a', 'ab', 'aaaaaaab', '%41', '&#37;', '\\\\', '%25', 'a%']) {
      const filled = (length: number) => fill.repeat(Math.floor(length / fill.length));
      // Far more than a monitor may send and than evidence may hold: seconds now, and many minutes if it were not linear.
      const value = filled(20_000);
      const headers = Array.from({ length: 16 }, (_, index) => ({ name: `X-Key-${index}`, value: `${value}${index}` }));
      const text = filled(1_000_000);
      expect(createSecretMask(headers)!(`${text}!${value}9`).slice(-4), fill).to.equal('!***');
    }
  });
});
