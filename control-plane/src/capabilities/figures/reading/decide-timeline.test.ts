import { expect } from 'chai';
import fc from 'fast-check';
import {
  coarsenTimeline,
  coverTimeline,
  decideTimeline,
  decideUptime,
  mergeTimelines,
  type RegionSpan,
} from './decide-timeline.js';

const START = 1_000;
const END = 2_000;

/** Up to three regions, each with spans that do not overlap, partly outside of the period. */
const spans = fc
  .array(fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 400 }), fc.boolean()), { maxLength: 8 }), {
    maxLength: 3,
  })
  .map((regions) =>
    regions.flatMap((list, series) => {
      let atMs = 500;
      return list.map(([gap, length, up]): RegionSpan => {
        const span = { series, startMs: atMs + gap, endMs: atMs + gap + length, up };
        atMs = span.endMs;
        return span;
      });
    }),
  );

describe('The timeline of a monitor', () => {
  it('covers the period without gaps, overlaps or neighbours of the same status', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const timeline = decideTimeline(list, START, END);
        expect(timeline[0]!.startMs).to.equal(START);
        expect(timeline.at(-1)!.endMs).to.equal(END);
        timeline.slice(1).forEach((span, index) => {
          expect(span.startMs).to.equal(timeline[index]!.endMs);
          expect(span.status).not.to.equal(timeline[index]!.status);
        });
        for (const span of timeline) expect(span.startMs).to.be.lessThan(span.endMs);
      }),
    );
  });

  it('has at every moment the status of the regions: available only where a region was up', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: START, max: END - 1 }), (list, moment) => {
        const outcomes = list.filter((span) => span.startMs <= moment && moment < span.endMs).map(({ up }) => up);
        const { status } = decideTimeline(list, START, END).find((span) => moment < span.endMs)!;
        const expected =
          outcomes.length === 0
            ? 'unknown'
            : outcomes.every(Boolean)
              ? 'available'
              : outcomes.some(Boolean)
                ? 'partial'
                : 'unavailable';
        expect(status).to.equal(expected);
      }),
    );
  });

  it('is unknown throughout where nothing was checked', () => {
    expect(decideTimeline([], START, END)).to.deep.equal([{ startMs: START, endMs: END, status: 'unknown' }]);
  });

  it('shows a region that fails beside healthy ones as partial', () => {
    const list = [
      { series: 1, startMs: 900, endMs: 2_100, up: true },
      { series: 2, startMs: 1_200, endMs: 1_300, up: false },
    ];
    expect(decideTimeline(list, START, END).map(({ status }) => status)).to.deep.equal([
      'available',
      'partial',
      'available',
    ]);
  });
});

describe('A timeline that is too long', () => {
  const MINUTE = 60_000;
  const flipping = Array.from({ length: 1_000 }, (_, index) => ({
    startMs: index * MINUTE,
    endMs: (index + 1) * MINUTE,
    status: index % 2 === 0 ? ('available' as const) : index === 501 ? ('unavailable' as const) : ('unknown' as const),
  }));

  it('is unchanged when it is short enough', () => {
    expect(coarsenTimeline(flipping, 1_000)).to.deep.equal({ stepMs: null, spans: flipping });
  });

  it('is shown in at most the requested number of steps, which lose no outage', () => {
    const { stepMs, spans } = coarsenTimeline(flipping, 100);
    expect(stepMs).to.equal(10 * MINUTE);
    expect(spans).to.deep.equal([
      { startMs: 0, endMs: 500 * MINUTE, status: 'unknown' },
      { startMs: 500 * MINUTE, endMs: 510 * MINUTE, status: 'unavailable' },
      { startMs: 510 * MINUTE, endMs: 1_000 * MINUTE, status: 'unknown' },
    ]);
  });
});

describe('The uptime percentage', () => {
  it('is null without checks', () => {
    expect(decideUptime(0, 0)).to.equal(null);
  });

  it('has four decimals', () => {
    expect(decideUptime(2, 1)).to.equal(66.6667);
    expect(decideUptime(1_439, 1)).to.equal(99.9306);
  });

  it('is 100 only if no check failed, and 0 only if all did', () => {
    expect(decideUptime(10_000_000, 1)).to.equal(99.9999);
    expect(decideUptime(1, 10_000_000)).to.equal(0.0001);
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e9), (healthy, unhealthy) => {
        const uptime = decideUptime(healthy, unhealthy);
        if (uptime === null) return;
        expect(uptime === 100).to.equal(unhealthy === 0);
        expect(uptime === 0).to.equal(healthy === 0);
        expect(uptime).to.be.within(0, 100);
      }),
    );
  });
});

describe('A timeline with maintenance', () => {
  const timeline = [
    { startMs: 0, endMs: 10, status: 'available' },
    { startMs: 10, endMs: 20, status: 'unavailable' },
    { startMs: 20, endMs: 30, status: 'unknown' },
  ] as const;

  it('shows it exactly where a window covered the monitor, whatever was measured', () => {
    expect(
      coverTimeline(timeline, [
        { startMs: 5, endMs: 12 },
        { startMs: 28, endMs: 40 },
      ]),
    ).to.deep.equal([
      { startMs: 0, endMs: 5, status: 'available' },
      { startMs: 5, endMs: 12, status: 'maintenance' },
      { startMs: 12, endMs: 20, status: 'unavailable' },
      { startMs: 20, endMs: 28, status: 'unknown' },
      { startMs: 28, endMs: 30, status: 'maintenance' },
    ]);
  });

  it('of several monitors shows it where no other has a verdict, so that it hides no outage', () => {
    const covered = [{ startMs: 0, endMs: 30, status: 'maintenance' }] as const;
    expect(mergeTimelines([timeline, covered], 0, 30)).to.deep.equal([
      { startMs: 0, endMs: 10, status: 'available' },
      { startMs: 10, endMs: 20, status: 'unavailable' },
      { startMs: 20, endMs: 30, status: 'maintenance' },
    ]);
  });
});
