import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS } from '@watchpost/shared/time';
import { decideTimeline, mergeTimelines, type RegionSpan, type TimelineSpan } from '../figures/index.js';
import { boundTimeline, mergeInSlices, STEP_MS } from './decide-shown-timeline.js';

const END_MS = Date.UTC(2026, 10, 21, 12, 3, 7);
const START_MS = END_MS - DAY_MS;

/** Regions of several monitors, each in order and without overlaps. */
const series = (most: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: DAY_MS }), fc.boolean(), fc.boolean()), { maxLength: most })
    .map((cuts) => cuts.toSorted(([a], [b]) => a - b))
    .map((cuts) =>
      cuts.flatMap(([atMs, up, isKnown], index): Omit<RegionSpan, 'series'>[] => {
        const endMs = START_MS + (cuts[index + 1]?.[0] ?? DAY_MS);
        return isKnown && START_MS + atMs < endMs ? [{ startMs: START_MS + atMs, endMs, up }] : [];
      }),
    );
const monitors = (regions: number, most: number) =>
  fc.array(fc.array(series(most), { maxLength: regions }), { minLength: 1, maxLength: 25 });
const numbered = (regions: readonly Omit<RegionSpan, 'series'>[][]): RegionSpan[] =>
  regions.flatMap((spans, index) => spans.map((span) => ({ ...span, series: index })));
const timelineOf = (regions: readonly Omit<RegionSpan, 'series'>[][]) =>
  decideTimeline(numbered(regions), START_MS, END_MS);

describe('the timeline that a page shows', () => {
  it('of several monitors is the one of all their regions together', () => {
    fc.assert(
      fc.property(monitors(3, 6), (given) => {
        const together = timelineOf(given.flat());
        expect(mergeTimelines(given.map(timelineOf), START_MS, END_MS)).to.deep.equal(together);
        const isShort = [...given.map(timelineOf), together].every(({ length }) => length <= 100);
        if (isShort) expect([...mergeInSlices(given.map(timelineOf), START_MS, END_MS)].at(-1)).to.deep.equal(together);
      }),
    );
  });

  it('is contiguous and bounded, and no outage is lost, however often its monitors change', () => {
    const long = fc.array(series(800), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(long, (regions) => {
        const exact = timelineOf(regions);
        const shown = boundTimeline(exact);
        expect(shown.length).to.be.at.most(DAY_MS / STEP_MS + 1);
        expect([shown[0]!.startMs, shown.at(-1)!.endMs]).to.deep.equal([START_MS, END_MS]);
        for (const [index, span] of shown.slice(1).entries()) expect(span.startMs).to.equal(shown[index]!.endMs);
        if (exact.length <= 144) expect(shown).to.equal(exact);
        else for (const { startMs } of shown.slice(1)) expect(startMs % STEP_MS).to.equal(0);
        for (const span of exact)
          if (span.status === 'unavailable') expect(statusAt(shown, span.startMs)).to.equal('unavailable');
        expect(boundTimeline(shown), 'and stays as it is').to.deep.equal(shown);
      }),
      { numRuns: 40 },
    );
  });
});

function statusAt(timeline: readonly TimelineSpan[], atMs: number): string {
  return timeline.find(({ endMs }) => endMs > atMs)!.status;
}
