import { expect } from 'chai';
import fc from 'fast-check';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { headerFaults, trimHeaderValue } from '@watchpost/shared/header-faults';
import { joinFields, maskFields, splitFields } from './secret-fields.js';

const messages = (headers: Record<string, string>) =>
  headerFaults(headers)
    .map(({ message }) => message)
    .join('; ');

describe('headers of a check', () => {
  it('take what HTTP takes', () => {
    expect(
      headerFaults({ Accept: 'text/html', 'X-Api-Key': 'k', "x!#$%&'*+-.^_`|~9": 'a\tb', Empty: '', Latin: 'é' }),
    ).to.deep.equal([]);
  });

  it('lose the blanks and tabs around a value, and only those', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(' ', '\t', 'a', '\n', '\u00a0') }), (text) => {
        expect(trimHeaderValue(text)).to.equal(text.replaceAll(/^[ \t]+|[ \t]+$/g, ''));
      }),
    );
  });

  it('never smuggle a line, a name or a connection setting', () => {
    for (const value of ['a\r\nX: y', 'a\nb', 'a\0b', 'a\x7f', 'smile 🙂'])
      expect(messages({ Ok: value }), JSON.stringify(value)).to.contain('Latin-1');
    for (const name of ['', 'a b', 'a:b', 'a\r', 'é', '__proto__', 'x'.repeat(129)]) {
      expect(messages(Object.fromEntries([[name, 'v']])), JSON.stringify(name)).to.contain('must have a name');
    }
    for (const name of [
      'Host',
      'content-length',
      'Connection',
      'Transfer-Encoding',
      'TE',
      'Upgrade',
      'Expect',
      'Proxy-Authorization',
    ]) {
      expect(messages({ [name]: 'v' }), name).to.contain('set by the probe');
    }
  });

  it('are bounded, and each given once', () => {
    expect(messages({ Accept: 'a', accept: 'b' })).to.contain('twice');
    expect(messages({ A: 'x'.repeat(4_097) })).to.contain('at most 4096');
    expect(messages(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`h${index}`, ''])))).to.contain(
      'at most 50',
    );
    expect(
      messages(Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`h${index}`, 'x'.repeat(4_000)]))),
    ).to.contain('16384');
  });

  it('are secrets by one pattern of names', () => {
    for (const name of [
      'Authorization',
      'cookie',
      'Private-Token',
      'X-Auth-Key',
      'X-Api-Key',
      'x-client-SECRET',
      'X-Password',
      'Session-Id',
      'X-Hub-Signature-256',
      'Proxy-Author',
    ])
      expect(maskFields({ [name]: 'v' })[name], name).to.equal(MASK);
    for (const name of ['Accept', 'User-Agent', 'X-Trace', 'Cookie-Policy', 'Referer'])
      expect(maskFields({ [name]: 'v' })[name], name).to.equal('v');
  });

  it('come back whole from the store, where no secret lies open', () => {
    const name = fc.constantFrom('Authorization', 'COOKIE', 'x-api-key', 'Accept', 'User-Agent', 'constructor');
    const value = fc.string({ minLength: 1 }).filter((text) => text !== MASK);
    fc.assert(
      fc.property(fc.dictionary(name, value), (given) => {
        const { fields: headers, secrets, unknown } = splitFields(given, {});
        expect(unknown).to.deep.equal([]);
        for (const secret of ['Authorization', 'COOKIE', 'x-api-key']) {
          if (secret in given && Object.hasOwn(given, secret)) expect(headers[secret]).to.equal(MASK);
        }
        expect(joinFields(headers, secrets)).to.deep.equal(given);
        // what was answered, sent back as it is, changes nothing
        expect(splitFields(headers, secrets)).to.deep.equal({ fields: headers, secrets, unknown: [] });
      }),
    );
  });

  it('keep a stored secret where *** is sent back, in any spelling, and report where none is stored', () => {
    const { secrets } = splitFields({ Authorization: 'Bearer 1' }, {});
    expect(splitFields({ AUTHORIZATION: MASK, Cookie: MASK, Accept: MASK }, secrets)).to.deep.equal({
      fields: { AUTHORIZATION: MASK, Cookie: MASK, Accept: MASK },
      secrets: { authorization: 'Bearer 1' },
      unknown: ['Cookie'],
    });
    expect(splitFields({}, secrets).secrets).to.deep.equal({});
  });
});
