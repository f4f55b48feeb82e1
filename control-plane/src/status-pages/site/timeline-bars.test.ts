import { expect } from 'chai';
import fc from 'fast-check';
import { dailyBars, dayBar, describeDay } from './timeline-bars.js';

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

describe('The bars of a status page', () => {
  it('show every disruption, however short it was', () => {
    fc.assert(
      fc.property(timeline, (spans) => {
        const { text } = dayBar(spans);
        for (const status of STATUSES.slice(1))
          expect(text.includes(`class="${status}"`)).to.equal(spans.some((span) => span.status === status));
      }),
    );
  });

  it('are never drawn outside of their frame by more than the least width', () => {
    fc.assert(
      fc.property(timeline, (spans) => {
        for (const [, x, width] of dayBar(spans).text.matchAll(/M(\d+) \d+h(\d+)/g))
          expect(Number(x) + Number(width)).to.be.within(0, 1_442);
      }),
    );
  });

  it('say in words what they show', () => {
    const at = (hour: number) => iso(START + hour * 3_600_000);
    expect(describeDay([{ start: at(0), end: at(24), status: 'available' }])).to.equal('available throughout');
    expect(
      describeDay([
        { start: at(0), end: at(2), status: 'available' },
        { start: at(2), end: at(2.25), status: 'unavailable' },
        { start: at(2.25), end: at(24), status: 'available' },
      ]),
    ).to.equal('unavailable 14:00 to 14:15 UTC (15 min)');
  });

  it('show a day with any failure as one, and name the worst', () => {
    const days = [100, 99.999, null, 97.2, 100, 100, 100].map((uptimePercentage, index) => ({
      date: `2026-11-1${index}`,
      uptimePercentage,
    }));
    const { text } = dailyBars({ window: '7d', perDay: days } as Parameters<typeof dailyBars>[0]);
    expect(text).to.include('Last 7 days: failures on 2 of 6 days, the worst 2026-11-13 with 97.2 %');
    const failed = /class="unavailable" d="([^"]+)"/.exec(text)![1]!;
    expect(failed.match(/M/g)).to.have.length(2);
  });

  it('have nothing to show without a timeline', () => {
    expect(dayBar([]).text).to.equal('');
  });
});
