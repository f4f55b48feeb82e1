import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS } from '@watchpost/shared/time';
import { cronFault, nextDueMs } from './next-due.js';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo'];
const at = (text: string) => Date.parse(text);
const cron = (expression: string, timezone: string) => ({ everyMs: null, cron: expression, timezone });
const dueAfter = (expression: string, timezone: string, after: string) =>
  new Date(nextDueMs(cron(expression, timezone), at(after))!).toISOString();

/** Minute and hour of a moment on the clocks of a zone. */
function clockOf(ms: number, timeZone: string): { minute: number; hour: number } {
  const parts = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric' })
    .formatToParts(ms)
    .map(({ type, value }): [string, number] => [type, Number(value)]);
  const { hour, minute } = Object.fromEntries(parts) as { hour: number; minute: number };
  return { hour, minute };
}

describe('The next due time of a heartbeat', () => {
  const moment = fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2028-12-31T00:00Z') });

  it('is an interval after the former ping', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: MINUTE_MS, max: 31 * 86_400_000 }), (afterMs, everyMs) => {
        expect(nextDueMs({ everyMs, cron: null, timezone: null }, afterMs)).to.equal(afterMs + everyMs);
      }),
    );
  });

  it('by cron is the first later minute of the zone that matches, also across daylight saving', () => {
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...ZONES),
        fc.constantFrom(5, 10, 15, 20, 30),
        fc.integer({ min: 0, max: 23 }),
        (afterMs, zone, step, hour) => {
          const due = nextDueMs(cron(`*/${step} ${hour}-23 * * *`, zone), afterMs)!;
          const matches = (ms: number) => {
            const clock = clockOf(ms, zone);
            return clock.minute % step === 0 && clock.hour >= hour;
          };
          expect(due).to.be.greaterThan(afterMs);
          expect(matches(due)).to.equal(true);
          const first = Math.floor(afterMs / MINUTE_MS + 1) * MINUTE_MS;
          for (let ms = first; ms < due; ms += MINUTE_MS)
            if (matches(ms)) expect.fail(`${new Date(ms).toISOString()} is earlier in ${zone}`);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('of a daily job comes once a day in every zone, and a day is 23 to 25 hours long', () => {
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 0, max: 23 }),
        (afterMs, zone, minute, hour) => {
          const daily = cron(`${minute} ${hour} * * *`, zone);
          const due = nextDueMs(daily, afterMs)!;
          const hours = (nextDueMs(daily, due)! - due) / 3_600_000;
          expect(hours).to.be.within(22.5, 25.5);
          expect(nextDueMs(daily, due - 1)).to.equal(due);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('moves a time that clocks skip to the end of the gap, and takes the first of one that occurs twice', () => {
    expect(dueAfter('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00Z')).to.equal('2027-03-28T01:00:00.000Z');
    expect(dueAfter('30 2 * * *', 'Europe/Berlin', '2027-03-28T01:00Z')).to.equal('2027-03-29T00:30:00.000Z');
    expect(dueAfter('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z')).to.equal('2027-10-31T00:30:00.000Z');
    expect(dueAfter('30 2 * * *', 'Europe/Berlin', '2027-10-31T00:30Z')).to.equal('2027-11-01T01:30:00.000Z');
    expect(dueAfter('*/15 * * * *', 'Europe/Berlin', '2027-10-31T00:45Z')).to.equal('2027-10-31T01:00:00.000Z');
  });

  it('is known for five fields that match a date, and for nothing else', () => {
    for (const good of ['* * * * *', '30 2 * * 1-5', '0 0 29 2 *', '0 0 1 JAN MON', ' 5  4 * * 7 '.trim()])
      expect(cronFault(good), good).to.equal(null);
    for (const bad of ['', '* * * *', '* * * * * *', '@daily', '60 * * * *', '0 0 30 2 *', 'a b c d e', '*/0 * * * *'])
      expect(cronFault(bad), bad).to.be.a('string');
    fc.assert(fc.property(fc.string(), (text) => void cronFault(text)));
  });

  it('is refused only where no date of 28 years, after which the calendar repeats, matches it', () => {
    for (const weekday of [0, 1, 2, 3, 4, 5, 6]) expect(cronFault(`0 0 29 2 +${weekday}`), `${weekday}`).to.equal(null);
    for (const never of ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 31W 2 *', '0 0 5 1 +1#5'])
      expect(cronFault(never), never).to.equal('must match a date: no date has this day and month');
  });
});
