import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { Temporal } from 'temporal-polyfill';
import { decideOccurrences, instantOf, localOf, type Occurrence, type WindowSchedule } from './decide-occurrences.js';
import { decideStored, STORED_AHEAD_MS } from './decide-stored.js';
import { parseRecurrence } from './recurrence.js';

const SINCE_MS = Date.UTC(2026, 0, 1);
const UNTIL_MS = Date.UTC(2027, 0, 2);

function windowAt(startsAt: string, recurrence: string | null, more: Partial<WindowSchedule> = {}): WindowSchedule {
  const parsed = recurrence === null ? null : parseRecurrence(recurrence);
  if (parsed && 'faults' in parsed) throw new Error(parsed.faults.join());
  const rule = parsed?.rule ?? null;
  return { startsAt, timezone: 'UTC', durationMs: HOUR_MS, recurrence: rule, startedNowMs: null, ...more };
}

function until(window: WindowSchedule, untilMs: number, fromMs?: number): Occurrence[] {
  const taken: Occurrence[] = [];
  for (const occurrence of decideOccurrences(window, fromMs)) {
    if (occurrence.startMs >= untilMs) break;
    taken.push(occurrence);
  }
  return taken;
}

const startsOf = (window: WindowSchedule, count = 6) => {
  const starts: string[] = [];
  for (const { startMs } of decideOccurrences(window)) {
    starts.push(new Date(startMs).toISOString().slice(0, 16));
    if (starts.length === count) break;
  }
  return starts;
};

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Santiago'];
const DAYS = Array.from({ length: 365 }, (_, days) => Temporal.PlainDate.from('2026-01-01').add({ days }));
/** Which of these days each rule names, from the first one on. The first is a Thursday. */
const RULES: Readonly<Record<string, (day: Temporal.PlainDate) => boolean>> = {
  'FREQ=DAILY': () => true,
  'FREQ=DAILY;INTERVAL=3': ({ dayOfYear }) => dayOfYear % 3 === 1,
  'FREQ=WEEKLY;BYDAY=SU': ({ dayOfWeek }) => dayOfWeek === 7,
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU': ({ dayOfWeek, dayOfYear }) =>
    dayOfWeek >= 6 && Math.floor((dayOfYear + 2) / 7) % 2 === 0,
  'FREQ=MONTHLY;BYDAY=-1SU': ({ dayOfWeek, day, daysInMonth }) => dayOfWeek === 7 && day + 7 > daysInMonth,
  'FREQ=MONTHLY;BYMONTHDAY=1,28': ({ day }) => day === 1 || day === 28,
};

/** Every zone that moves its clocks within the year, with the moments at which it does; of zones that agree, one. */
const MOVING = distinct(
  Intl.supportedValuesOf('timeZone').flatMap((timezone) => {
    const moves: { atMs: number; gapMs: number }[] = [];
    let moment = Temporal.Instant.fromEpochMilliseconds(SINCE_MS).toZonedDateTimeISO(timezone);
    for (;;) {
      const next = moment.getTimeZoneTransition('next');
      if (!next || next.epochMilliseconds >= UNTIL_MS - 2 * DAY_MS) break;
      const gapMs = (next.offsetNanoseconds - next.subtract({ nanoseconds: 1 }).offsetNanoseconds) / 1e6;
      if (gapMs !== 0) moves.push({ atMs: next.epochMilliseconds, gapMs });
      moment = next;
    }
    return moves.length > 0 ? [{ timezone, moves }] : [];
  }),
);

function distinct<Zone extends { moves: object }>(zones: readonly Zone[]): Zone[] {
  return [...new Map(zones.map((zone) => [JSON.stringify(zone.moves), zone])).values()];
}

describe('The occurrences of a maintenance window', () => {
  it('are those of its rule', () => {
    expect(startsOf(windowAt('2027-03-28T02:00', null))).to.deep.equal(['2027-03-28T02:00']);
    expect(startsOf(windowAt('2026-12-30T02:00', 'FREQ=DAILY;INTERVAL=2;COUNT=3'))).to.deep.equal([
      '2026-12-30T02:00',
      '2027-01-01T02:00',
      '2027-01-03T02:00',
    ]);
    // 2026-11-25 is a Wednesday: every other week counts from the Monday before it.
    expect(startsOf(windowAt('2026-11-25T02:00', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR'), 4)).to.deep.equal([
      '2026-11-27T02:00',
      '2026-12-07T02:00',
      '2026-12-11T02:00',
      '2026-12-21T02:00',
    ]);
    expect(startsOf(windowAt('2026-01-31T02:00', 'FREQ=MONTHLY'), 4)).to.deep.equal([
      '2026-01-31T02:00',
      '2026-03-31T02:00',
      '2026-05-31T02:00',
      '2026-07-31T02:00',
    ]);
    expect(startsOf(windowAt('2026-01-01T02:00', 'FREQ=MONTHLY;BYDAY=2TU,-1FR'), 4)).to.deep.equal([
      '2026-01-13T02:00',
      '2026-01-30T02:00',
      '2026-02-10T02:00',
      '2026-02-27T02:00',
    ]);
    expect(startsOf(windowAt('2026-01-01T02:00', 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2'))).to.deep.equal([
      '2026-01-31T02:00',
      '2026-02-28T02:00',
    ]);
    expect(startsOf(windowAt('2026-01-01T02:00', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'), 3)).to.deep.equal([
      '2026-02-13T02:00',
      '2026-03-13T02:00',
      '2026-11-13T02:00',
    ]);
    expect(startsOf(windowAt('2024-02-29T02:00', 'FREQ=MONTHLY;INTERVAL=12'), 2)).to.deep.equal([
      '2024-02-29T02:00',
      '2028-02-29T02:00',
    ]);
  });

  it('end with UNTIL, inclusive, in local time, in UTC, or with the whole day', () => {
    const last = (end: string) =>
      startsOf(windowAt('2026-11-20T02:00', `FREQ=DAILY;UNTIL=${end}`, { timezone: 'Europe/Berlin' }), 99).at(-1);
    expect(last('20261123')).to.equal('2026-11-23T01:00');
    expect(last('20261123T020000')).to.equal('2026-11-23T01:00');
    expect(last('20261123T015959')).to.equal('2026-11-22T01:00');
    expect(last('20261123T010000Z')).to.equal('2026-11-23T01:00');
    expect(last('20261123T005959Z')).to.equal('2026-11-22T01:00');
  });

  it('move forward by the gap where the local start does not exist, and take the first of two', () => {
    const berlin = { timezone: 'Europe/Berlin' };
    expect(startsOf(windowAt('2027-03-27T02:30', 'FREQ=DAILY', berlin), 3)).to.deep.equal([
      '2027-03-27T01:30',
      '2027-03-28T01:30', // 03:30 in Berlin
      '2027-03-29T00:30',
    ]);
    expect(startsOf(windowAt('2026-10-24T02:30', 'FREQ=DAILY', berlin), 3)).to.deep.equal([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('begin at the very moment where the window was started at once, also in the second of two equal hours', () => {
    const startedNowMs = Date.UTC(2026, 9, 25, 1, 30, 12, 345);
    const window = windowAt(localOf(startedNowMs, 'Europe/Berlin'), 'FREQ=DAILY;COUNT=2', {
      timezone: 'Europe/Berlin',
      startedNowMs,
    });
    expect(window.startsAt).to.equal('2026-10-25T02:30:12');
    expect([...decideOccurrences(window)].map(({ startMs }) => startMs)).to.deep.equal([
      startedNowMs,
      Date.UTC(2026, 9, 26, 1, 30, 12),
    ]);
  });

  it('keep their local time in every zone that moves its clocks, and last as long by elapsed time', () => {
    expect(MOVING.length).to.be.greaterThan(15);
    for (const { timezone, moves } of MOVING)
      for (const { atMs, gapMs } of moves) {
        // Local times around the move, the skipped or repeated ones included.
        const local = Temporal.Instant.fromEpochMilliseconds(atMs - 1)
          .toZonedDateTimeISO(timezone)
          .toPlainDateTime();
        for (const minutes of [-60, 1, 31, 61]) {
          const wanted = local.add({ milliseconds: 1 }).add({ minutes });
          const startsAt = wanted.subtract({ days: 2 }).toString({ smallestUnit: 'minute' });
          const occurrences = until(windowAt(startsAt, 'FREQ=DAILY;COUNT=5', { timezone }), Infinity);
          expect(occurrences.map(({ startMs, endMs }) => endMs - startMs)).to.deep.equal(Array(5).fill(HOUR_MS));
          for (const { startMs } of occurrences) {
            const shown = localOf(startMs, timezone).slice(11);
            if (shown === startsAt.slice(11)) {
              // The first of two: an hour before, the clock shows another time.
              const before = Temporal.Instant.fromEpochMilliseconds(startMs - Math.abs(gapMs)).toZonedDateTimeISO(
                timezone,
              );
              expect(before.toPlainTime().toString().slice(0, 5), `${timezone} ${startsAt}`).to.not.equal(shown);
            } else {
              expect(gapMs, `${timezone} ${startsAt}`).to.be.greaterThan(0);
              expect(startMs - atMs).to.be.within(0, gapMs - 1);
              const moved = Temporal.PlainTime.from(startsAt.slice(11)).add({ milliseconds: gapMs });
              expect(shown).to.equal(moved.toString().slice(0, 5));
            }
          }
        }
      }
  });

  it('of every rule, in zones around the world and over a year, are on exactly the named days, in order and apart', () => {
    for (const timezone of ZONES)
      for (const [rule, isNamed] of Object.entries(RULES))
        for (const time of ['00:30', '02:15']) {
          const window = windowAt(`2026-01-01T${time}`, rule, { timezone, durationMs: DAY_MS });
          const year = until(window, UNTIL_MS);
          const dates = year.map(({ startMs }) => localOf(startMs, timezone).slice(0, 10));
          expect(dates.filter((date) => date < '2027')).to.deep.equal(DAYS.filter(isNamed).map(String));
          for (const [index, { startMs, endMs }] of year.entries()) {
            const next = year[index + 1];
            expect(endMs).to.equal(Math.min(startMs + DAY_MS, next?.startMs ?? Infinity));
            expect(instantOf(`${dates[index]}T${time}`, timezone)).to.equal(startMs);
          }
        }
  });

  it('are the same taken at once and in parts, with neither gap nor repetition', () => {
    const rules = fc.record({
      frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY;BYDAY=1MO,3WE', 'MONTHLY;BYMONTHDAY=15,-1'),
      interval: fc.integer({ min: 1, max: 5 }),
      end: fc.constantFrom('', ';COUNT=7', ';UNTIL=20260820'),
    });
    const cuts = fc.array(fc.integer({ min: SINCE_MS - DAY_MS, max: UNTIL_MS }), { maxLength: 5 });
    const place = fc.constantFrom(...MOVING.map(({ timezone }) => timezone));
    fc.assert(
      fc.property(rules, cuts, place, fc.integer({ min: 5, max: 2_000 }), (rule, moments, timezone, minutes) => {
        const text = `FREQ=${rule.frequency};INTERVAL=${rule.interval}${rule.end}`;
        const window = windowAt('2026-01-03T01:30', text, { timezone, durationMs: minutes * MINUTE_MS });
        const edges = [SINCE_MS, ...moments.toSorted((a, b) => a - b), UNTIL_MS];
        const inParts = edges.slice(1).flatMap((edge, index) => until(window, edge, edges[index]));
        expect(inParts).to.deep.equal(until(window, UNTIL_MS).filter(({ startMs }) => startMs >= SINCE_MS));
      }),
    );
  });

  it('of every rule are stored for 60 days ahead over a year, and the next one however far it is', () => {
    for (const timezone of ZONES)
      for (const rule of [...Object.keys(RULES), 'FREQ=MONTHLY;INTERVAL=12']) {
        const window = windowAt('2026-01-01T02:30', rule, { timezone });
        let [fromMs, nowMs] = [-Infinity, SINCE_MS];
        const stored: Occurrence[] = [];
        for (; nowMs < UNTIL_MS; nowMs += 10 * DAY_MS) {
          if (fromMs > nowMs + STORED_AHEAD_MS) continue;
          const { occurrences, storedUntilMs } = decideStored(window, fromMs, nowMs);
          stored.push(...occurrences);
          fromMs = storedUntilMs!;
          expect(stored.at(-1)!.startMs, 'the next one').to.be.greaterThan(nowMs);
          expect(fromMs).to.be.greaterThan(nowMs + STORED_AHEAD_MS);
        }
        expect(stored).to.deep.equal(until(window, fromMs));
      }
  });
});

describe('A recurrence', () => {
  const faultsOf = (text: string) => {
    const parsed = parseRecurrence(text);
    return 'faults' in parsed ? parsed.faults : [];
  };

  it('names all that is wrong with it at once', () => {
    expect(faultsOf('FREQ=YEARLY;INTERVAL=0;COUNT=2;UNTIL=20260230;FOO=1;BYDAY=XX')).to.have.length(6);
    expect(faultsOf('FREQ=WEEKLY;BYDAY=1MO')).to.have.length(1);
    expect(faultsOf('FREQ=WEEKLY;BYMONTHDAY=1')).to.have.length(1);
    expect(faultsOf('FREQ=DAILY;FREQ=DAILY')).to.have.length(1);
    expect(faultsOf('FREQ=DAILY;COUNT=2;UNTIL=20260201')).to.have.length(1);
    expect(faultsOf('FREQ=MONTHLY;BYDAY=-1FR,MO;BYMONTHDAY=-31,+3;UNTIL=20260201T000000Z')).to.have.length(0);
  });

  it('is read or refused, whatever the text', () => {
    const part = fc.constantFrom(
      'FREQ=',
      'DAILY',
      ';',
      '=',
      'COUNT=1',
      'UNTIL=',
      '20260101',
      'BYDAY=MO',
      ',',
      '-1',
      'T',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (text) => void parseRecurrence(text),
      ),
    );
  });
});
