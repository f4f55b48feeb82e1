import { expect } from 'chai';
import fc from 'fast-check';
import { parseEmailAddress } from './email-address.js';
import { plainName } from './mail-document.js';

describe('An email address', () => {
  it('is taken as it is written, and compared without regard to case', () => {
    expect(parseEmailAddress(' Ann.Smith+news@Example.COM ')).to.deep.equal({
      address: 'Ann.Smith+news@example.com',
      key: 'ann.smith+news@example.com',
    });
    expect(parseEmailAddress('jürgen@müller.example')?.address).to.equal('jürgen@xn--mller-kva.example');
  });

  it('is refused where no mail could be sent, or to somebody else beside', () => {
    for (const text of [
      '',
      'ann',
      '@example.com',
      'ann@',
      'ann@localhost',
      'ann@example',
      'a b@example.com',
      'ann@@example.com',
      'ann@example.com,bob@example.com',
      'ann@example.com\nBcc: bob@example.com',
      '<ann@example.com>',
      'Ann <ann@example.com>',
      'ann@[127.0.0.1]',
      'ann@127.0.0.1',
      '.ann@example.com',
      'ann.@example.com',
      'a..b@example.com',
      `${'a'.repeat(65)}@example.com`,
      'ann@-example.com',
      'ann@exam_ple.com',
      `ann@${'a'.repeat(64)}.com`,
    ])
      expect(parseEmailAddress(text), text).to.equal(undefined);
  });

  it('never holds anything that could end a header or name another recipient', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).map((local) => `${local}@example.com`),
        (text) => {
          const parsed = parseEmailAddress(text);
          if (parsed) expect(parsed.address).not.to.match(/[\s,;:<>()\p{Cc}]/u);
        },
      ),
    );
  });
});

describe('A name that a stranger chose, in mail to somebody else', () => {
  it('is one short line without links', () => {
    expect(plainName('Win now: https://evil.example/prize\r\nBcc: x')).to.equal('Win now: evil example/prize Bcc: x');
    expect(plainName('x'.repeat(500))).to.have.length(80);
    expect(plainName('Acme Inc. Status')).to.equal('Acme Inc. Status');
  });
});
