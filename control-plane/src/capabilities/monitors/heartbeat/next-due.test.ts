import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { Temporal } from 'temporal-polyfill';
import { cronFault, nextDueMs } from './next-due.js';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo'];
const at = (text: string) => Date.parse(text);
const cron = (expression: string, timezone: string) => ({ everyMs: null, cron: expression, timezone });
const dueAfter = (expression: string, timezone: string, after: string) =>
  new Date(nextDueMs(cron(expression, timezone), at(after))!).toISOString();

/** What cronie runs around a change of the clocks, minute by minute as it does, with the moments at which it does. */
function runsOfCronie(minute: CronField, hour: CronField, { atMs, beforeMs, afterMs }: Move): number[] {
  const isWild = minute.text.startsWith('*') || hour.text.startsWith('*');
  const matches = (localMs: number) =>
    minute.list.includes((localMs / MINUTE_MS) % 60) && hour.list.includes(Math.floor(localMs / HOUR_MS) % 24);
  const runs: number[] = [];
  let passedMs = atMs - 2 * DAY_MS + beforeMs;
  for (let ms = atMs - 2 * DAY_MS; ms <= atMs + 2 * DAY_MS; ms += MINUTE_MS) {
    const localMs = ms + (ms < atMs ? beforeMs : afterMs);
    const reached: number[] = [];
    for (let one = isWild ? localMs : passedMs + MINUTE_MS; one <= localMs; one += MINUTE_MS) reached.push(one);
    if (reached.some(matches)) runs.push(ms);
    passedMs = Math.max(passedMs, localMs);
  }
  return runs;
}

interface CronField {
  text: string;
  list: number[];
}

interface Move {
  zone: string;
  atMs: number;
  beforeMs: number;
  afterMs: number;
}

/** Each change of clocks of three years, once for the zones that agree in it. */
const MOVES = [
  ...new Map(
    Intl.supportedValuesOf('timeZone')
      .flatMap(movesOf)
      .map((move) => [JSON.stringify({ ...move, zone: '' }), move]),
  ).values(),
];

function movesOf(zone: string): Move[] {
  const moves: Move[] = [];
  let moment = Temporal.Instant.fromEpochMilliseconds(at('2026-01-01T00:00Z')).toZonedDateTimeISO(zone);
  for (;;) {
    const next = moment.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > at('2029-01-01T00:00Z')) return moves;
    const beforeMs = next.subtract({ milliseconds: 1 }).offsetNanoseconds / 1e6;
    moves.push({ zone, atMs: next.epochMilliseconds, beforeMs, afterMs: next.offsetNanoseconds / 1e6 });
    moment = next;
  }
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

  it('by cron is each time at which cronie runs the job, around every change of clocks of every zone', () => {
    const field = (most: number) =>
      fc.oneof(
        fc.uniqueArray(fc.nat(most), { minLength: 1, maxLength: 4 }).map((list) => ({ text: list.join(','), list })),
        fc.tuple(fc.nat(most), fc.nat(most)).map(([one, other]) => {
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          return { text: `${from}-${to}`, list: Array.from({ length: to - from + 1 }, (_, index) => from + index) };
        }),
        fc.constantFrom(1, 2, 3, 5, 15).map((step) => ({
          text: step === 1 ? '*' : `*/${step}`,
          list: Array.from({ length: most + 1 }, (_, index) => index).filter((value) => value % step === 0),
        })),
      );
    fc.assert(
      fc.property(
        fc.constantFrom(...MOVES),
        field(59),
        field(23),
        fc.nat(2 * DAY_MS),
        (move, minute, hour, earlyMs) => {
          const afterMs = move.atMs - earlyMs;
          const expected = runsOfCronie(minute, hour, move).filter((ms) => ms > afterMs);
          let lastMs = afterMs;
          for (const ms of expected.slice(0, 40)) {
            lastMs = nextDueMs(cron(`${minute.text} ${hour.text} * * *`, move.zone), lastMs)!;
            expect(new Date(lastMs).toISOString()).to.equal(new Date(ms).toISOString());
          }
        },
      ),
      { numRuns: 400 },
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

  it('is due at the time at which clocks are set back, when they show it first', () => {
    const due = (after: string) => dueAfter('45 3 * * *', 'Pacific/Chatham', after);
    expect(due('2027-04-03T13:59Z')).to.equal('2027-04-03T15:00:00.000Z');
    expect(due('2027-04-03T14:00Z')).to.equal('2027-04-03T15:00:00.000Z');
    expect(due('2027-04-03T15:00Z')).to.equal('2027-04-04T15:00:00.000Z');
  });

  it('is due once where fixed times are a list or a range in an hour that clocks repeat or skip', () => {
    const dues = (expression: string, after: string, count: number) => {
      const all: string[] = [after];
      while (all.length <= count) all.push(dueAfter(expression, 'Europe/Berlin', all.at(-1)!));
      return all.slice(1).map((due) => due.slice(5, 16));
    };
    expect(dues('0 2-4 * * *', '2027-10-30T12:00Z', 4)).to.deep.equal([
      '10-31T00:00',
      '10-31T02:00',
      '10-31T03:00',
      '11-01T01:00',
    ]);
    expect(dues('15,45 2 * * *', '2027-10-30T12:00Z', 3)).to.deep.equal(['10-31T00:15', '10-31T00:45', '11-01T01:15']);
    expect(dues('15,45 2 * * *', '2027-03-27T12:00Z', 2)).to.deep.equal(['03-28T01:00', '03-29T00:15']);
    expect(dues('*/30 2 * * *', '2027-10-30T12:00Z', 5)).to.deep.equal([
      '10-31T00:00',
      '10-31T00:30',
      '10-31T01:00',
      '10-31T01:30',
      '11-01T01:00',
    ]);
    expect(dues('*/30 2 * * *', '2027-03-27T12:00Z', 1), 'the clock never shows two').to.deep.equal(['03-29T00:00']);
  });

  it('needs the date and the weekday where either field is a star, and one of them otherwise', () => {
    expect(dueAfter('0 9 */2 * 1', 'UTC', '2026-11-28T00:00Z')).to.equal('2026-12-07T09:00:00.000Z');
    expect(dueAfter('0 9 1 * */2', 'UTC', '2026-11-28T00:00Z')).to.equal('2026-12-01T09:00:00.000Z');
    expect(dueAfter('0 9 1 * 1', 'UTC', '2026-11-28T00:00Z')).to.equal('2026-11-30T09:00:00.000Z');
    expect(dueAfter('0 9 1-31/2 * 1', 'UTC', '2026-11-28T00:00Z')).to.equal('2026-11-29T09:00:00.000Z');
    expect(cronFault('0 0 31 2 */2')).to.equal('must match a date: no date has this day and month');
    expect(nextDueMs(cron('0 0 31 2 */2', 'UTC'), 0), 'a stored one that no longer matches').to.equal(null);
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
