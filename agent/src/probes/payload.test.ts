import { expect } from 'chai';
import fc from 'fast-check';
import { quotePayload, readPayload, writePayload } from './payload.js';

describe('the payload of a service', () => {
  it('is written so that it can be read back, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        (bytes) => void expect(readPayload(writePayload(Buffer.from(bytes)))).to.deep.equal(Buffer.from(bytes)),
      ),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.startsWith('hex:')),
        (text) => void expect(readPayload(text)!.toString()).to.equal(text),
      ),
    );
  });

  it('can be pairs of hex digits', () => {
    expect(readPayload('hex:00 fF\n10')).to.deep.equal(Buffer.from([0, 255, 16]));
    expect(readPayload('hex:')).to.deep.equal(Buffer.alloc(0));
    for (const bad of ['hex:0', 'hex:0g', 'hex:0x00']) expect(readPayload(bad)).to.equal(null);
  });

  it('is shortened for a sentence', () => {
    expect(quotePayload(Buffer.from('220 mail\r\nready'))).to.equal('“220 mail ready”');
    expect(quotePayload(Buffer.from([0, 1]))).to.equal('hex:0001');
    expect(quotePayload(Buffer.alloc(0))).to.equal('nothing');
    expect(quotePayload(Buffer.from('Grüß Gott'.repeat(20))), 'cut between two bytes of a letter').to.match(
      /^“Grüß.*…”$/,
    );
    expect(writePayload(Buffer.from('aé'), 2)).to.equal('a');
    expect(quotePayload(Buffer.alloc(100, 'x'))).to.equal(`“${'x'.repeat(60)}…”`);
  });
});
