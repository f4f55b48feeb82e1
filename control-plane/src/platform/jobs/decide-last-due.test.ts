import { expect } from 'chai';
import fc from 'fast-check';
import { parseCronItems } from 'graphile-worker';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideLastDue } from './decide-last-due.js';

const matchOf = (match: string) =>
  parseCronItems([{ task: 'job', match, identifier: 'job', options: { backfillPeriod: 0, maxAttempts: 1 } }])[0]!.match;
const lastDue = (cron: string, at: string) => {
  const dueMs = decideLastDue(matchOf(cron), Date.parse(at));
  return dueMs === null ? null : new Date(dueMs).toISOString();
};

describe('when a job was due last', () => {
  it('is by its timetable in UTC, this minute included', () => {
    expect(lastDue('37 3 * * *', '2026-11-22T03:36:59.999Z')).to.equal('2026-11-21T03:37:00.000Z');
    expect(lastDue('37 3 * * *', '2026-11-22T03:37:00.000Z')).to.equal('2026-11-22T03:37:00.000Z');
    expect(lastDue('*/10 * * * *', '2026-11-22T00:09:00Z')).to.equal('2026-11-22T00:00:00.000Z');
    expect(lastDue('0 5 1 * *', '2026-03-01T04:59:00Z')).to.equal('2026-02-01T05:00:00.000Z');
    expect(lastDue('0 0 30 2 *', '2026-03-01T00:00:00Z')).to.equal(null);
  });

  it('is the latest minute that matches, at any moment', () => {
    const minute = fc.integer({ min: 0, max: 59 });
    const hour = fc.integer({ min: 0, max: 23 });
    const cron = fc.oneof(
      fc.tuple(minute, hour).map(([min, at]) => `${min} ${at} * * *`),
      minute.map((min) => `${min} * * * *`),
      fc.constantFrom('* * * * *', '*/10 * * * *'),
    );
    const now = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(cron, now, (given, nowMs) => {
        const isDue = matchOf(given);
        const dueMs = decideLastDue(isDue, nowMs)!;
        expect(dueMs % MINUTE_MS).to.equal(0);
        expect(dueMs).to.be.at.most(nowMs);
        expect(decideLastDue(isDue, dueMs)).to.equal(dueMs);
        const next = decideLastDue(isDue, nowMs + MINUTE_MS)!;
        expect(next === dueMs || next > nowMs).to.equal(true);
      }),
      { numRuns: 50 },
    );
  });
});
