import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideInsideCounts } from './decide-inside-counts.js';
import { spansOf } from './span-codec.js';

const START = Date.UTC(2026, 10, 23, 8);
const checksOf = (ups: readonly boolean[]) =>
  ups.map((up, minute) => ({ atMs: START + minute * MINUTE_MS, freshMs: MINUTE_MS, up }));
const hourOf = (ups: readonly boolean[]) => {
  const checks = checksOf(ups);
  const up = ups.filter(Boolean).length;
  return { startMs: START, spans: spansOf(checks), up, down: ups.length - up };
};
const minutes = (from: number, to: number) => ({ startMs: START + from * MINUTE_MS, endMs: START + to * MINUTE_MS });

describe('The checks of an hour that were in maintenance, without its single results', () => {
  it('are those of the time in which the series was up, and in which it was down', () => {
    const ups = Array.from({ length: 60 }, (_, minute) => minute < 20 || minute >= 40);
    expect(decideInsideCounts(hourOf(ups), [minutes(20, 40)])).to.deep.equal({ up: 0, down: 20 });
    expect(decideInsideCounts(hourOf(ups), [minutes(0, 10), minutes(30, 40)])).to.deep.equal({ up: 10, down: 10 });
    expect(decideInsideCounts(hourOf(ups), [minutes(-60, 120)])).to.deep.equal({ up: 40, down: 20 });
    expect(decideInsideCounts(hourOf(ups), [minutes(60, 120)])).to.deep.equal({ up: 0, down: 0 });
  });

  it('are exact where checks are regular and windows begin and end with one', () => {
    const hour = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    const range = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(hour, range, (ups, [one, other]) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const inside = ups.slice(from, to);
        const up = inside.filter(Boolean).length;
        const ranges = from < to ? [minutes(from, to)] : [];
        expect(decideInsideCounts(hourOf(ups), ranges)).to.deep.equal({ up, down: inside.length - up });
      }),
    );
  });
});
