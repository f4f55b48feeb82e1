import { expect } from 'chai';
import fc from 'fast-check';
import { ResultBatch } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { countResults } from './count-results.js';
import { resultBatchFromWire } from './from-wire.js';
import { WireError } from './wire-error.js';

/** What the decoder finds; undefined where it finds no message. */
function decoded(frame: Uint8Array): number | undefined {
  try {
    return ResultBatch.decode(frame).results.length;
  } catch {
    return undefined;
  }
}
/** Tag and length of an empty result, plainly and in spellings that mean the same to the decoder. */
const EMPTY_RESULTS = [
  [0x1a, 0],
  [0x9a, 0x80, 0, 0],
  [0x9a, 0x80, 0x80, 0x80, 0x70, 0],
  [0x9a, 0x80, 0x80, 0x80, 0x80, 0xff, 0xff, 0xff, 0xff, 0x01, 0x80, 0x80, 0],
];
/** Other fields: numbers of all sizes, text, and the beginning and end of a group. */
const OTHERS = [
  [0x08, 0x05],
  [0x12, 0x02, 0x1a, 0],
  [0x51, 1, 2, 3, 4, 5, 6, 7, 8],
  [0x55, 1, 2, 3, 4],
  [0x53],
  [0x54],
  [0],
];

describe('counting the results of a batch before it is decoded', () => {
  it('finds at least as many as decoding does, whatever comes', () => {
    const piece = fc.oneof(
      fc.constantFrom(...EMPTY_RESULTS, ...OTHERS),
      fc.array(fc.nat({ max: 255 }), { maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const frame = Uint8Array.from(pieces.flat());
        const found = decoded(frame);
        if (found === undefined) return;
        try {
          expect(countResults(frame)).to.be.at.least(found);
        } catch (error) {
          expect(error).to.be.instanceOf(WireError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds exactly as many in what agents send', () => {
    for (const count of [0, 1, 7, 1_001]) {
      const results = Array.from({ length: count }, () => ({}));
      const frame = ResultBatch.encode(ResultBatch.fromPartial({ spoolId: 's', firstSequence: 9n, results })).finish();
      expect(countResults(frame)).to.equal(count);
    }
  });

  it('refuses a frame of millions without making them', () => {
    const frame = Buffer.alloc(4 * 1024 * 1024 - 2, Buffer.from([0x1a, 0]));
    const started = performance.now();
    expect(() => resultBatchFromWire(frame)).to.throw(WireError, 'a batch has 1 to 1000 results');
    expect(performance.now() - started).to.be.below(1_000);
  });
});
