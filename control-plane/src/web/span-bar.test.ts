import { expect } from 'chai';
import fc from 'fast-check';
import { describeSpans, spanBar } from './span-bar.js';

const START = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const STATUSES = ['available', 'partial', 'unavailable', 'unknown'] as const;
const iso = (ms: number) => new Date(ms).toISOString();

/** A day, cut at these moments. */
const timeline = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: DAY_MS - 1 }), { maxLength: 12 }),
    fc.array(fc.constantFrom(...STATUSES), { minLength: 13, maxLength: 13 }),
  )
  .map(([cuts, statuses]) => {
    const ends = [0, ...cuts.toSorted((a, b) => a - b), DAY_MS];
    return ends.slice(1).map((end, index) => ({
      start: iso(START + ends[index]!),
      end: iso(START + end),
      status: statuses[index]!,
    }));
  });

describe('A timeline as a bar', () => {
  it('shows every disruption, however short it was', () => {
    fc.assert(
      fc.property(timeline, (spans) => {
        const { text } = spanBar('Last 24 hours', spans);
        for (const status of STATUSES.slice(1))
          expect(text.includes(`class="${status}"`)).to.equal(spans.some((span) => span.status === status));
      }),
    );
  });

  it('is never drawn outside of its frame by more than the least width', () => {
    fc.assert(
      fc.property(timeline, (spans) => {
        for (const [, x, width] of spanBar('Last 24 hours', spans).text.matchAll(/M(\d+) \d+h(\d+)/g))
          expect(Number(x) + Number(width)).to.be.within(0, 1_442);
      }),
    );
  });

  it('says in words what it shows', () => {
    const at = (hour: number) => iso(START + hour * 3_600_000);
    expect(describeSpans([{ start: at(0), end: at(24), status: 'available' }])).to.equal('available throughout');
    expect(
      describeSpans([
        { start: at(0), end: at(2), status: 'available' },
        { start: at(2), end: at(2.25), status: 'unavailable' },
        { start: at(2.25), end: at(24), status: 'available' },
      ]),
    ).to.equal('unavailable 20 Nov 2026, 14:00 UTC to 14:15 (15 min)');
  });

  it('has nothing to show without a timeline', () => {
    expect(spanBar('Last 24 hours', []).text).to.equal('');
  });
});
