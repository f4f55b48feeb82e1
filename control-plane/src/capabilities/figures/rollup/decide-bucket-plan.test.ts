import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { decideBucketPlan, type Range } from './decide-bucket-plan.js';

const DAY = Date.UTC(2026, 10, 1);
const moment = fc.oneof(
  fc.nat(40 * DAY_MS),
  fc.nat(40 * 24).map((hour) => hour * HOUR_MS),
  fc.nat(40).map((day) => day * DAY_MS),
);
const period = fc
  .tuple(moment, moment)
  .filter(([a, b]) => a !== b)
  .map(([a, b]): Range => ({ startMs: DAY + Math.min(a, b), endMs: DAY + Math.max(a, b) }));
const dirtyBucket = fc.oneof(
  fc.nat(40 * 24).map((hour) => ({ startMs: DAY + hour * HOUR_MS, isDay: false })),
  fc.nat(40).map((day) => ({ startMs: DAY + day * DAY_MS, isDay: true })),
);
const state = fc.record({
  closedUntilMs: fc.option(fc.nat(40 * 24).map((hour) => DAY + hour * HOUR_MS)),
  dirtyBuckets: fc.array(dirtyBucket, { maxLength: 30 }),
});
const coarsest = fc.constantFrom('hour' as const, 'day' as const);

const bucketsOf = (ranges: readonly Range[], lengthMs: number) =>
  ranges.flatMap(({ startMs, endMs }) =>
    Array.from({ length: (endMs - startMs) / lengthMs }, (_, index) => startMs + index * lengthMs),
  );

describe('decideBucketPlan', () => {
  it('covers the period exactly, every moment once', () => {
    fc.assert(
      fc.property(period, state, coarsest, (asked, known, unit) => {
        const { days, hours, rows } = decideBucketPlan(asked, known, unit);
        const all = [...days, ...hours, ...rows].toSorted((a, b) => a.startMs - b.startMs);
        let untilMs = asked.startMs;
        for (const { startMs, endMs } of all) {
          expect(startMs).to.equal(untilMs);
          expect(endMs).to.be.above(startMs);
          untilMs = endMs;
        }
        expect(untilMs).to.equal(asked.endMs);
      }),
    );
  });

  it('reads rollups of whole buckets only, closed ones that are not dirty', () => {
    fc.assert(
      fc.property(period, state, coarsest, (asked, known, unit) => {
        const { days, hours } = decideBucketPlan(asked, known, unit);
        for (const startMs of bucketsOf(days, DAY_MS)) {
          expect(unit).to.equal('day');
          expect(startMs % DAY_MS).to.equal(0);
          expect(startMs + DAY_MS).to.be.at.most(known.closedUntilMs!);
          const within = known.dirtyBuckets.filter((one) => one.startMs >= startMs && one.startMs < startMs + DAY_MS);
          expect(within).to.deep.equal([]);
        }
        for (const startMs of bucketsOf(hours, HOUR_MS)) {
          expect(startMs % HOUR_MS).to.equal(0);
          expect(startMs + HOUR_MS).to.be.at.most(known.closedUntilMs!);
          expect(known.dirtyBuckets.some((one) => !one.isDay && one.startMs === startMs)).to.equal(false);
        }
      }),
    );
  });

  it('has few ranges, however many buckets are dirty', () => {
    fc.assert(
      fc.property(period, fc.array(dirtyBucket, { maxLength: 400 }), (asked, dirtyBuckets) => {
        const { days, hours, rows } = decideBucketPlan(
          asked,
          { closedUntilMs: DAY + 40 * DAY_MS, dirtyBuckets },
          'day',
        );
        expect(days.length + hours.length + rows.length).to.be.at.most(60);
      }),
    );
  });

  it('reads a month from its days, the hours at its ends, and the rows of the hours that it cuts', () => {
    const asked = { startMs: DAY + 90 * 60_000, endMs: DAY + 30 * DAY_MS + 90 * 60_000 };
    const closedUntilMs = DAY + 30 * DAY_MS + HOUR_MS;
    expect(decideBucketPlan(asked, { closedUntilMs, dirtyBuckets: [] }, 'day')).to.deep.equal({
      days: [{ startMs: DAY + DAY_MS, endMs: DAY + 30 * DAY_MS }],
      hours: [
        { startMs: DAY + 2 * HOUR_MS, endMs: DAY + DAY_MS },
        { startMs: DAY + 30 * DAY_MS, endMs: closedUntilMs },
      ],
      rows: [
        { startMs: asked.startMs, endMs: DAY + 2 * HOUR_MS },
        { startMs: closedUntilMs, endMs: asked.endMs },
      ],
    });
  });

  it('reads rows only before the first hour is closed', () => {
    const asked = { startMs: DAY, endMs: DAY + 3 * DAY_MS };
    expect(decideBucketPlan(asked, { closedUntilMs: null, dirtyBuckets: [] }, 'day')).to.deep.equal({
      days: [],
      hours: [],
      rows: [asked],
    });
  });
});
