import { expect } from 'chai';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { decideMinutes } from './decide-minutes.js';

describe('The minutes of a heartbeat', () => {
  it('are those of its spans within the ranges, by steps', () => {
    const spans = [
      { startMs: 0, endMs: 90 * MINUTE_MS, up: true },
      { startMs: 90 * MINUTE_MS, endMs: 2 * HOUR_MS, up: false },
    ];
    const ranges = [
      { startMs: 30 * MINUTE_MS, endMs: 40 * MINUTE_MS },
      { startMs: 50 * MINUTE_MS, endMs: 100 * MINUTE_MS },
    ];
    expect(decideMinutes(spans, ranges, null)).to.deep.equal([{ startMs: 0, up: 50, down: 10 }]);
    expect(decideMinutes(spans, ranges, HOUR_MS)).to.deep.equal([
      { startMs: 0, up: 20, down: 0 },
      { startMs: HOUR_MS, up: 30, down: 10 },
    ]);
    expect(decideMinutes(spans, [], null)).to.deep.equal([]);
  });

  it('of a time are as many as those of its parts, to the millisecond', () => {
    const edges = fc.uniqueArray(fc.integer({ min: 0, max: 5 * HOUR_MS }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(edges, edges, fc.constantFrom(null, 10 * MINUTE_MS, HOUR_MS), (turns, cuts, stepMs) => {
        const sorted = turns.toSorted((a, b) => a - b);
        const spans = sorted.slice(1).map((endMs, index) => ({ startMs: sorted[index]!, endMs, up: index % 2 === 0 }));
        const marks = cuts.toSorted((a, b) => a - b);
        const parts = marks.slice(1).map((endMs, index) => ({ startMs: marks[index]!, endMs }));
        const whole = [{ startMs: marks[0]!, endMs: marks.at(-1)! }];
        expect(decideMinutes(spans, parts, stepMs)).to.deep.equal(decideMinutes(spans, whole, stepMs));
      }),
    );
  });
});
