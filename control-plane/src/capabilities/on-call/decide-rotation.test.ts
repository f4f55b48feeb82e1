import { expect } from 'chai';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { decideOnCall, decideShifts } from './decide-on-call.js';
import { latestStartDate, shiftFinder, weekdayOf } from './decide-rotation.js';
import type { SimpleRotation } from './decide-schedule.js';
import { simplePlan } from './simple-plan.js';

const SINCE_MS = Date.UTC(2024, 0, 1);
const UNTIL_MS = Date.UTC(2028, 0, 1);

const at = (text: string) => Date.parse(text);
const rotation = (more: Partial<SimpleRotation> = {}): SimpleRotation => ({
  rotation: 'daily',
  timezone: 'Europe/Berlin',
  handoffTime: '09:00',
  handoffDay: null,
  startDate: '2026-01-05',
  turns: ['ann', 'bob', 'cyd'],
  ...more,
});
const decideShift = (given: SimpleRotation, atMs: number) => shiftFinder(simplePlan(given))(atMs);
const handoffsOf = (given: SimpleRotation, fromMs: number, toMs: number) =>
  decideShifts(simplePlan(given), fromMs, toMs)
    .slice(1)
    .map(({ startMs }) => new Date(startMs).toISOString());

/** Every zone that moves its clocks in these years, with the moments at which it does. */
const MOVING = Intl.supportedValuesOf('timeZone').flatMap((timezone) => {
  const moves: number[] = [];
  let moment = Temporal.Instant.fromEpochMilliseconds(SINCE_MS).toZonedDateTimeISO(timezone);
  for (;;) {
    const next = moment.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= UNTIL_MS) break;
    moves.push(next.epochMilliseconds);
    moment = next;
  }
  return moves.length > 0 ? [{ timezone, moves }] : [];
});

const formats = new Map<string, Intl.DateTimeFormat>();
/** The clock on the wall, as the runtime itself has it: `2026-03-29 03:30 Sun`. */
function wallClock(timezone: string, ms: number): string {
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  formats.set(timezone, format);
  return format.format(ms).replace(',', '');
}
const minutesOf = (clock: string) => Number(clock.slice(-5, -3)) * 60 + Number(clock.slice(-2));
const clockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

describe('a rotation', () => {
  it('lets the first participant take over on the start date, and nobody before', () => {
    expect(decideShift(rotation(), at('2026-01-05T07:59:59.999Z'))).to.deep.equal({
      userId: null,
      startMs: -Infinity,
      endMs: at('2026-01-05T08:00:00Z'),
    });
    expect(decideShift(rotation(), at('2026-01-05T08:00:00Z'))).to.deep.equal({
      userId: 'ann',
      startMs: at('2026-01-05T08:00:00Z'),
      endMs: at('2026-01-06T08:00:00Z'),
    });
    expect(decideShift(rotation(), at('1970-01-01T00:00:00Z')).endMs).to.equal(at('2026-01-05T08:00:00Z'));
  });

  it('hands over every week on its day, the first time after the start date', () => {
    const weekly = rotation({ rotation: 'weekly', handoffDay: 'friday', startDate: '2026-01-07' });
    const shifts = decideShifts(simplePlan(weekly), at('2026-01-07T08:00:00Z'), at('2026-01-20T00:00:00Z'));
    expect(shifts.map(({ userId, startMs }) => [userId, new Date(startMs).toISOString()])).to.deep.equal([
      ['ann', '2026-01-07T08:00:00.000Z'],
      ['bob', '2026-01-09T08:00:00.000Z'],
      ['cyd', '2026-01-16T08:00:00.000Z'],
    ]);
    const sameDay = decideShift({ ...weekly, startDate: '2026-01-09' }, at('2026-01-09T08:00:00Z'));
    expect(sameDay).to.include({ userId: 'ann', endMs: at('2026-01-16T08:00:00Z') });
  });

  it('keeps the time of day in spring and in autumn: shifts of 23 and of 25 hours', () => {
    expect(handoffsOf(rotation(), at('2026-03-28T00:00:00Z'), at('2026-03-31T00:00:00Z'))).to.deep.equal([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
    expect(handoffsOf(rotation(), at('2026-10-24T00:00:00Z'), at('2026-10-27T00:00:00Z'))).to.deep.equal([
      '2026-10-24T07:00:00.000Z',
      '2026-10-25T08:00:00.000Z',
      '2026-10-26T08:00:00.000Z',
    ]);
  });

  it('hands over an hour later where the clocks skip the time, and the first time where it comes twice', () => {
    const night = rotation({ handoffTime: '02:30' });
    expect(handoffsOf(night, at('2026-03-28T12:00:00Z'), at('2026-03-29T12:00:00Z'))).to.deep.equal([
      '2026-03-29T01:30:00.000Z',
    ]);
    expect(handoffsOf(night, at('2026-10-24T12:00:00Z'), at('2026-10-25T12:00:00Z'))).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
    ]);
  });

  it('loses nobody where a zone skips a whole day', () => {
    const apia = rotation({ timezone: 'Pacific/Apia', startDate: '2011-12-28' });
    const shifts = decideShifts(simplePlan(apia), at('2011-12-28T19:00:00Z'), at('2012-01-02T00:00:00Z'));
    expect(shifts.map(({ userId, startMs }) => [userId, wallClock('Pacific/Apia', startMs)])).to.deep.equal([
      ['ann', '2011-12-28 09:00'],
      ['bob', '2011-12-29 09:00'],
      ['ann', '2011-12-31 09:00'],
      ['bob', '2012-01-01 09:00'],
      ['cyd', '2012-01-02 09:00'],
    ]);
  });

  it('gives the turn of an absent person to the next one and moves no other turn', () => {
    const full = rotation({ turns: ['ann', 'bob', 'cyd', 'dan'] });
    const holed = rotation({ turns: ['ann', null, null, 'dan'] });
    const from = at('2026-01-05T08:00:00Z');
    const who = (given: SimpleRotation) =>
      Array.from({ length: 8 }, (_, day) => decideShift(given, from + day * DAY_MS).userId);
    expect(who(full)).to.deep.equal(['ann', 'bob', 'cyd', 'dan', 'ann', 'bob', 'cyd', 'dan']);
    expect(who(holed)).to.deep.equal(['ann', 'dan', 'dan', 'dan', 'ann', 'dan', 'dan', 'dan']);
    expect(who(rotation({ turns: ['ann', 'bob', null] }))).to.deep.equal([
      'ann',
      'bob',
      'ann',
      'ann',
      'bob',
      'ann',
      'ann',
      'bob',
    ]);
    const empty = simplePlan(rotation({ turns: [null, null] }));
    expect(decideOnCall(empty, from)).to.include({ userId: null, source: 'none' });
  });

  it('does not follow the shifts since a start two centuries ago', () => {
    const given = rotation({ startDate: '1970-01-01' });
    // So often that to follow them would take many minutes.
    for (let minute = 0; minute < 20_000; minute++)
      expect(decideShift(given, at('2199-06-01T12:00:00Z') + minute * MINUTE_MS).userId).to.be.a('string');
  });

  it('hands over at the first of two equal times, and does not go back at the second hour of the same name', () => {
    const given = rotation({
      timezone: 'Europe/Berlin',
      handoffTime: '02:45',
      startDate: '2026-10-24',
      turns: ['ann', 'bob'],
    });
    const [handoff, again] = [at('2026-10-25T00:45:00Z'), at('2026-10-25T01:30:00Z')];
    expect(decideShift(given, handoff - 1)).to.include({ userId: 'ann', endMs: handoff });
    expect(decideShift(given, again), 'at 02:30 for the second time').to.include({ userId: 'bob', startMs: handoff });
  });

  it('starts by default so that the first participant is on call at once', () => {
    for (const moment of [
      '2026-03-29T00:59:59Z',
      '2026-03-29T01:30:00Z',
      '2026-07-01T06:59:00Z',
      '2026-07-01T07:00:00Z',
    ]) {
      const given = rotation({ handoffTime: moment.startsWith('2026-03') ? '02:30' : '09:00' });
      const startDate = latestStartDate(given.handoffTime, given.timezone, at(moment));
      const shift = decideShift({ ...given, startDate }, at(moment));
      expect(shift.userId, moment).to.equal('ann');
      expect(at(moment) - shift.startMs).to.be.below(DAY_MS + HOUR_MS);
    }
    expect(weekdayOf('2026-11-21')).to.equal('saturday');
  });
});

describe('a rotation in every zone that moves its clocks', () => {
  it(`has no gap, no two at once, and hands over at the local time (${MOVING.length} zones)`, () => {
    expect(MOVING.length).to.be.above(100);
    for (const { timezone, moves } of MOVING) {
      for (const moveMs of moves) {
        const before = minutesOf(wallClock(timezone, moveMs - 60_000)) + 1;
        const after = minutesOf(wallClock(timezone, moveMs));
        // Inside of what is skipped or repeated, at its edges, and far from it.
        const middle = Math.floor((before + after) / 2);
        for (const minutes of [middle, before, after, 9 * 60]) {
          const handoffTime = clockText(minutes % 1440);
          const given = rotation({ timezone, handoffTime, startDate: '2023-05-17' });
          checkHandoffs(given, moveMs);
        }
      }
    }
  });

  function checkHandoffs(given: SimpleRotation, moveMs: number): void {
    const { timezone, handoffTime } = given;
    const shifts = decideShifts(simplePlan(given), moveMs - 2 * DAY_MS, moveMs + 2 * DAY_MS);
    const what = `${timezone} ${handoffTime} around ${new Date(moveMs).toISOString()}`;
    for (const [index, { userId, startMs, endMs }] of shifts.entries()) {
      const previous = shifts[index - 1];
      if (previous) {
        expect(startMs, `${what}: no gap, no two at once`).to.equal(previous.endMs);
        expect(userId, `${what}: turns go round`).to.equal(nextOf(given, previous.userId));
      }
      expect(endMs - startMs, what).to.be.within(DAY_MS - 3 * HOUR_MS, DAY_MS + 3 * HOUR_MS);
      const shown = wallClock(timezone, startMs).slice(-5);
      if (shown === handoffTime) {
        for (const earlier of [HOUR_MS / 2, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS]) {
          expect(wallClock(timezone, startMs - earlier), `${what}: the first of two`).to.not.equal(
            wallClock(timezone, startMs),
          );
        }
      } else {
        // The time does not exist that day: no minute around the change shows it, and it is as much later as is skipped.
        const late = minutesOf(shown) - minutesOf(handoffTime);
        const skipped = minutesOf(wallClock(timezone, moveMs)) - (minutesOf(wallClock(timezone, moveMs - 60_000)) + 1);
        expect((late + 1440) % 1440, `${what}: as much later as the clocks skip`).to.equal((skipped + 1440) % 1440);
        expect(Math.abs(startMs - moveMs), what).to.be.below(3 * HOUR_MS);
      }
    }
  }

  const nextOf = ({ turns }: SimpleRotation, userId: string | null) =>
    turns[(turns.indexOf(userId) + 1) % turns.length];

  it('agrees with the preview at every moment, with overrides on top, the latest first', () => {
    const zone = fc.constantFrom(...MOVING);
    const scene = zone.chain(({ timezone, moves }) =>
      fc.record({
        timezone: fc.constant(timezone),
        aroundMs: fc.constantFrom(...moves),
        kind: fc.constantFrom('daily' as const, 'weekly' as const),
        minutes: fc.nat(1439),
        startDay: fc.nat(3_000),
        turns: fc.array(fc.constantFrom('ann', 'bob', 'cyd', null), { minLength: 1, maxLength: 5 }),
        overrides: fc.array(
          fc.record({
            user: fc.constantFrom('eve', 'fay', 'ann'),
            start: fc.integer({ min: -80, max: 80 }),
            length: fc.integer({ min: 1, max: 90 }),
          }),
          { maxLength: 6 },
        ),
        hours: fc.array(fc.integer({ min: -100, max: 99 }), { minLength: 5, maxLength: 20 }),
      }),
    );
    fc.assert(
      fc.property(scene, ({ timezone, aroundMs, kind, minutes, startDay, turns, overrides, hours }) => {
        const startDate = new Date(Date.UTC(2018, 0, 1) + startDay * DAY_MS).toISOString().slice(0, 10);
        const handoffDay = kind === 'weekly' ? ('wednesday' as const) : null;
        const rotation = { rotation: kind, timezone, handoffTime: clockText(minutes), handoffDay, startDate, turns };
        const plan = simplePlan(
          rotation,
          overrides.map(({ user, start, length }) => ({
            userId: user,
            startMs: aroundMs + start * HOUR_MS,
            endMs: aroundMs + (start + length) * HOUR_MS,
          })),
        );
        const [fromMs, toMs] = [aroundMs - 100 * HOUR_MS, aroundMs + 100 * HOUR_MS];
        const preview = decideShifts(plan, fromMs, toMs);
        expect(preview[0]!.startMs <= fromMs && preview.at(-1)!.endMs >= toMs).to.equal(true);
        preview.slice(1).forEach((shift, index) => expect(shift.startMs).to.equal(preview[index]!.endMs));
        for (const hour of hours) {
          const momentMs = aroundMs + hour * HOUR_MS + 1;
          const shown = preview.filter(({ startMs, endMs }) => startMs <= momentMs && momentMs < endMs);
          const onCall = decideOnCall(plan, momentMs);
          expect(shown).to.deep.equal([onCall]);
          const override = plan.overrides.find(({ startMs, endMs }) => startMs <= momentMs && momentMs < endMs);
          const expected = override?.userId ?? decideShift(rotation, momentMs).userId;
          expect(onCall.userId).to.equal(expected);
          expect(onCall.source).to.equal(override ? 'override' : expected === null ? 'none' : 'rotation');
        }
      }),
      { numRuns: 300 },
    );
  });
});
