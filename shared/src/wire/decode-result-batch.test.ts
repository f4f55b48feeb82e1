import { expect } from 'chai';
import fc from 'fast-check';
import { CheckResult, OutcomeKind, ResultBatch } from '../gen/watchpost/agent/v1/agent.js';
import { readResultBatch } from './decode-result-batch.js';

const MOST = 1_001;
const EMPTY_RESULT = CheckResult.decode(new Uint8Array());
const FRAME_BYTES = 4 * 1024 * 1024;
/** Tag and length of an empty result, plainly and in spellings that mean the same to the decoder. */
const EMPTY_RESULTS = [
  [0x1a, 0],
  [0x9a, 0x80, 0, 0],
  [0x9a, 0x80, 0x80, 0x80, 0x70, 0],
  [0x9a, 0x80, 0x80, 0x80, 0x80, 0xff, 0xff, 0xff, 0xff, 0x01, 0x80, 0x80, 0],
];
/** Other fields, the start and end of a group, and results with a wrong length. */
const OTHERS = [
  [0x08, 0x05],
  [0x12, 0x02, 0x1a, 0],
  [0x51, 1, 2, 3, 4, 5, 6, 7, 8],
  [0x55, 1, 2, 3, 4],
  [0x53],
  [0x54],
  [0],
  [0x1a, 8, 0],
  [0x1a, 2, 0x52, 6],
];

/** The number of results in a frame, or that it is refused. */
function resultsOf(frame: Uint8Array): number | 'refused' {
  try {
    return readResultBatch(frame, MOST).results.length;
  } catch {
    return 'refused';
  }
}

/** A prefix, followed by as many empty results as a frame can have. */
function flood(beginning: readonly number[]): Buffer {
  const results = Buffer.alloc(FRAME_BYTES - beginning.length - ((FRAME_BYTES - beginning.length) % 2), '1a00', 'hex');
  return Buffer.concat([Buffer.from(beginning), results]);
}

describe('decoding a batch of results', () => {
  it('returns what an agent sent', () => {
    const result = fc.record({
      scheduledAtMs: fc.bigInt({ min: 0n, max: 1n << 50n }),
      totalUs: fc.nat(),
      outcome: fc.constantFrom(OutcomeKind.OUTCOME_KIND_UP, OutcomeKind.OUTCOME_KIND_DOWN),
      message: fc.string({ unit: 'grapheme' }),
    });
    const results = fc.array(result, { maxLength: 20 });
    const batch = fc.record({
      firstSequence: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      spoolId: fc.string(),
      results: results.map((all) => all.map((one) => ({ ...EMPTY_RESULT, ...one }))),
    });
    fc.assert(
      fc.property(batch, (given) => {
        const sent = ResultBatch.encode(given).finish();
        expect(readResultBatch(sent, MOST)).to.deep.equal(ResultBatch.decode(sent));
      }),
    );
    for (const count of [0, 1, 7, 1_000]) {
      const sent = ResultBatch.encode({
        firstSequence: 9n,
        spoolId: 's',
        results: Array.from({ length: count }, () => EMPTY_RESULT),
      }).finish();
      expect(resultsOf(sent)).to.equal(count);
    }
  });

  it('skips fields of a newer agent', () => {
    const newer = [
      [0x52, 1, 7],
      [0x58, 1],
      [0x1a, 0],
      [0x59, 1, 2, 3, 4, 5, 6, 7, 8],
      [0x5d, 1, 2, 3, 4],
      [0x1a, 0],
    ];
    expect(resultsOf(Uint8Array.from(newer.flat()))).to.equal(2);
  });

  it('finds as many results as the generated decoder, or refuses, whatever the bytes', () => {
    const part = fc.oneof(
      fc.constantFrom(...EMPTY_RESULTS, ...OTHERS),
      fc.array(fc.nat({ max: 255 }), { maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const frame = Uint8Array.from(parts.flat());
        const found = resultsOf(frame);
        if (found !== 'refused') expect(ResultBatch.decode(frame).results.length).to.equal(found);
      }),
      { numRuns: 2_000 },
    );
  });

  it('decodes no more results than its limit', () => {
    for (const spelling of EMPTY_RESULTS) expect(resultsOf(flood(spelling))).to.equal(MOST);
  });

  it('refuses a result that hides others behind its end', () => {
    // A length of 1 MiB, and a tag that ends the message for the generated decoder.
    expect(resultsOf(flood([0x1a, 0x80, 0x80, 0x40, 0]))).to.equal('refused');
    expect(resultsOf(flood([0x1a, 0x80, 0x80, 0x40, 0x54]))).to.equal('refused');
    // Text that goes on behind the result, where a reader of lengths sees a field that takes all the rest.
    expect(resultsOf(flood([0x1a, 2, 0x52, 6, 0x12, 0xff, 0xff, 0xff, 1, 0]))).to.equal('refused');
    expect(resultsOf(Uint8Array.from([0x1a, 2, 0x0a]))).to.equal('refused');
  });
});
