import { expect } from 'chai';
import fc from 'fast-check';
import { readDer, readDerChildren, readOid, readTime } from './der.js';
import { readOcspStaple } from './ocsp-staple.js';

// The shell of an answer, to be broken byte by byte.
const SHELL = Buffer.from(
  '3031' +
    '0a0100' +
    'a02c' +
    '302a' +
    '06092b0601050507300101' +
    '041d' +
    '301b' +
    '3019' +
    '3017' +
    '3015' +
    '0500' +
    'a111' +
    '180f' +
    '32303236313033313132303030305a',
  'hex',
);

describe('stapled OCSP answer', () => {
  it('is readable or not, and never throws, whatever the server sends', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (bytes) =>
          void expect(readOcspStaple(Buffer.from(bytes), '01').status).to.be.oneOf([
            'unreadable',
            'good',
            'revoked',
            'unknown',
          ]),
      ),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.nat(SHELL.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(SHELL);
        changed[at] = value;
        expect(readOcspStaple(changed, '01').status).to.be.a('string');
      }),
    );
    expect(readOcspStaple(SHELL.subarray(0, 20), '01').status).to.equal('unreadable');
  });
});

describe('DER', () => {
  it('reads lengths in every form, and refuses incomplete or indefinite ones', () => {
    for (const size of [0, 1, 127, 128, 255, 256, 70_000]) {
      const header =
        size < 128
          ? [size]
          : size < 256
            ? [0x81, size]
            : size < 65_536
              ? [0x82, size >> 8, size & 255]
              : [0x83, size >> 16, (size >> 8) & 255, size & 255];
      const bytes = Buffer.concat([Buffer.from([0x04, ...header]), Buffer.alloc(size, 7)]);
      expect(readDer(bytes).node.content.length).to.equal(size);
      expect(readDer(bytes).next).to.equal(bytes.length);
      if (size > 0) expect(() => readDer(bytes.subarray(0, -1))).to.throw(RangeError);
    }
    for (const bad of [[], [0x30], [0x30, 0x80, 0, 0], [0x1f, 1, 0], [0x30, 0x85, 1, 1, 1, 1, 1]])
      expect(() => readDer(Buffer.from(bad))).to.throw(RangeError);
    expect(readDerChildren(Buffer.from('0201010500', 'hex')).map((node) => node.tag)).to.deep.equal([2, 5]);
  });

  it('reads identifiers and times', () => {
    expect(readOid(Buffer.from('2a8648ce3d040302', 'hex'))).to.equal('1.2.840.10045.4.3.2');
    expect(readOid(Buffer.from('2b6570', 'hex'))).to.equal('1.3.101.112');
    expect(readOid(Buffer.from('883703', 'hex'))).to.equal('2.999.3');
    expect(readTime(Buffer.from('20261121120000Z'))).to.equal('2026-11-21T12:00:00.000Z');
    for (const bad of ['', '261121120000Z', '20261121120000', '2026112112000Z'])
      expect(() => readTime(Buffer.from(bad))).to.throw(RangeError);
  });
});
