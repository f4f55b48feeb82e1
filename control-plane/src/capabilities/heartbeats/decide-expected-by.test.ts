import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { expect } from 'chai';
import fc from 'fast-check';
import { decideExpectedBy, decideRunDeadline } from './decide-expected-by.js';

const START = Date.parse('2026-11-21T12:00Z');
const hourly = { everyMs: HOUR_MS, cron: null, timezone: null, graceMs: 5 * MINUTE_MS, maxRuntimeMs: null };
const atFull = { ...hourly, everyMs: null, cron: '0 * * * *', timezone: 'UTC' };
const outage = (fromMs: number, untilMs: number) => ({ startedMs: START + fromMs, endedMs: START + untilMs });

describe('The time by which a ping is expected', () => {
  const moments = fc.array(fc.tuple(fc.nat(8 * HOUR_MS), fc.integer({ min: 1, max: 2 * HOUR_MS })), { maxLength: 5 });
  /** Outages in order, without overlaps. */
  const outages = moments.map((pairs) => {
    let endMs = -HOUR_MS;
    return pairs
      .toSorted(([a], [b]) => a - b)
      .map(([gapMs, lengthMs]) => {
        const startMs = endMs + 1 + gapMs / 4;
        endMs = startMs + lengthMs;
        return outage(Math.round(startMs), Math.round(endMs));
      });
  });

  it('is the next due time and the grace', () => {
    expect(decideExpectedBy(hourly, START, [])).to.deep.equal({
      expectedByMs: START + 65 * MINUTE_MS,
      mayBeLost: false,
    });
    expect(decideExpectedBy(atFull, START + 1, []).expectedByMs).to.equal(START + 65 * MINUTE_MS);
  });

  it('is extended by at least the time in which nothing could be received before it', () => {
    fc.assert(
      fc.property(fc.constantFrom(hourly, atFull), outages, (settings, all) => {
        const { expectedByMs } = decideExpectedBy(settings, START, all);
        const lostMs = all
          .filter(({ startedMs }) => startedMs < expectedByMs!)
          .reduce((sum, { startedMs, endedMs }) => sum + Math.max(0, endedMs - Math.max(startedMs, START)), 0);
        expect(expectedByMs! - START).to.be.at.least(HOUR_MS + 5 * MINUTE_MS + lostMs);
      }),
    );
  });

  it('leaves the whole grace after the first due time that follows a long outage in which a ping may have been lost', () => {
    fc.assert(
      fc.property(outages, (all) => {
        const { expectedByMs, mayBeLost } = decideExpectedBy(atFull, START, all);
        if (!mayBeLost) return;
        const ends = all.filter(
          ({ startedMs, endedMs }) => endedMs - startedMs >= MINUTE_MS && endedMs < expectedByMs!,
        );
        const last = ends.at(-1)!;
        const nextFull = (Math.floor(last.endedMs / HOUR_MS) + 1) * HOUR_MS;
        if (last.endedMs > START + HOUR_MS) expect(expectedByMs).to.be.at.least(nextFull + 5 * MINUTE_MS);
      }),
    );
  });

  it('does not change by an outage before it is counted, or after it', () => {
    const { expectedByMs } = decideExpectedBy(hourly, START, []);
    expect(decideExpectedBy(hourly, START, [outage(-HOUR_MS, 0)]).expectedByMs).to.equal(expectedByMs);
    expect(decideExpectedBy(hourly, START, [outage(65 * MINUTE_MS, 90 * MINUTE_MS)]).expectedByMs).to.equal(
      expectedByMs,
    );
  });

  it('may be lost only where a long outage covers the time at which the ping was likely', () => {
    const long = decideExpectedBy(hourly, START, [outage(58 * MINUTE_MS, 90 * MINUTE_MS)]);
    expect(long).to.deep.equal({ expectedByMs: START + 155 * MINUTE_MS, mayBeLost: true });
    const short = decideExpectedBy(hourly, START, [outage(60 * MINUTE_MS, 60 * MINUTE_MS + 20_000)]);
    expect(short).to.deep.equal({ expectedByMs: START + 65 * MINUTE_MS + 20_000, mayBeLost: false });
    const early = decideExpectedBy(hourly, START, [outage(10 * MINUTE_MS, 40 * MINUTE_MS)]);
    expect(early).to.deep.equal({ expectedByMs: START + 95 * MINUTE_MS, mayBeLost: false });
  });

  it('of a run is its longest time, extended by outages, and unknown where its end may be lost', () => {
    expect(decideRunDeadline(START, HOUR_MS, [])).to.equal(START + HOUR_MS);
    expect(decideRunDeadline(START, HOUR_MS, [outage(10_000, 30_000)])).to.equal(START + HOUR_MS + 20_000);
    expect(decideRunDeadline(START, HOUR_MS, [outage(0, 2 * MINUTE_MS)])).to.equal(null);
    expect(decideRunDeadline(START, HOUR_MS, [outage(HOUR_MS, 2 * HOUR_MS)])).to.equal(START + HOUR_MS);
  });
});
