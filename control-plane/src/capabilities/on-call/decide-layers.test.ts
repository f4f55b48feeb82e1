import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { baseFinder, decideFormer, decideOnCall, decideShifts, type OnCallPlan } from './decide-on-call.js';
import { type Layer, type Weekday, WEEKDAYS } from './decide-rotation.js';

/** With clocks that move by 30 minutes, at midnight, and not at all. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Havana',
  'Asia/Kolkata',
] as const;
const FROM_MS = Date.UTC(2026, 0, 1);
const MINUTES = 365 * 1440;
/** Local times before and after the year that shifts and clocks reach, in minutes. */
const MARGIN = 60 * 1440;

const at = (text: string) => Date.parse(text);
const layer = (more: Partial<Layer> = {}): Layer => ({
  name: 'Layer',
  rotation: { unit: 'day', every: 1, handoffTime: '09:00', handoffDay: null },
  startDate: '2026-01-05',
  endDate: null,
  restrictions: [],
  holidays: 'ignore',
  turns: ['ann', 'bob', 'cyd'],
  ...more,
});
const plan = (layers: Layer[], more: Partial<OnCallPlan> = {}): OnCallPlan => ({
  timezone: 'Europe/Berlin',
  layers,
  holidays: [],
  former: [],
  overrides: [],
  ...more,
});
const who = (given: OnCallPlan, text: string) => decideOnCall(given, at(text)).userId;

/** The wall clock of a zone for each minute of the year, as the runtime's own calendar has it, in minutes since the epoch. */
interface WallClock {
  local: Float64Array;
  /** The first minute of the year (from 0) at which the clock shows a local minute. */
  first: Map<number, number>;
}

const clocks = new Map<string, WallClock>();
function wallClock(timezone: string): WallClock {
  const known = clocks.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const made: WallClock = { local: new Float64Array(MINUTES + 2 * MARGIN), first: new Map() };
  for (let minute = 0; minute < made.local.length; minute += 15) {
    const shown = format.format(FROM_MS + (minute - MARGIN) * MINUTE_MS).replace(', ', 'T');
    const local = Date.parse(`${shown}Z`) / MINUTE_MS;
    for (let more = 0; more < 15; more++) made.local[minute + more] = local + more;
  }
  for (const [minute, local] of made.local.entries())
    if (!made.first.has(local)) made.first.set(local, minute - MARGIN);
  clocks.set(timezone, made);
  return made;
}

/** The minute of the year at which a local minute comes: the first time, or as much later as the clock skips. */
function minuteOf({ local, first }: WallClock, target: number): number {
  const found = first.get(target);
  if (found !== undefined) return found;
  if (target < local[0]!) return -MARGIN;
  const after = local.findIndex((shown) => shown > target);
  if (after < 0) return MINUTES + MARGIN;
  return first.get(target + local[after]! - local[after - 1]! - 1)!;
}

const dayOf = (date: string) => Date.parse(`${date}T00:00Z`) / MINUTE_MS;
const ofDay = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const weekdayOf = (day: number): Weekday => WEEKDAYS[(new Date(day * MINUTE_MS).getUTCDay() + 6) % 7]!;

/** The times that restrictions leave, as local minutes, by the day on which they begin. */
function windowsOn(given: Layer, day: number): [number, number][] {
  const all = given.restrictions.length > 0 ? given.restrictions : [{ days: WEEKDAYS, start: '00:00', end: '00:00' }];
  return all
    .filter(({ days }) => days.includes(weekdayOf(day)))
    .map(({ start, end }) => {
      const length = ofDay(end) - ofDay(start);
      return [day + ofDay(start), day + ofDay(start) + (length > 0 ? length : length + 1440)];
    });
}

/** Paints each minute of the year with the person on call, shift by shift and window by window. */
function model({ timezone, layers, holidays, overrides }: OnCallPlan): (string | null)[] {
  const clock = wallClock(timezone);
  const minutes = Array.from<string | null>({ length: MINUTES }).fill(null);
  for (const given of layers) {
    const turns = given.turns;
    if (turns.every((one) => one === null)) continue;
    const painted = Array.from<string | null>({ length: MINUTES }).fill(null);
    const { unit, every, handoffTime, handoffDay } = given.rotation;
    let begins = dayOf(given.startDate) + ofDay(handoffTime);
    const end = given.endDate === null ? Infinity : minuteOf(clock, dayOf(given.endDate) + ofDay(handoffTime));
    for (let turn = 0, isFirst = true; begins < FROM_MS / MINUTE_MS + MINUTES + 2 * 1440; isFirst = false) {
      let ends = begins;
      if (unit === 'hour') ends += 60 * every;
      else if (unit === 'day') ends += 1440 * every;
      else if (!isFirst) ends += 7 * 1440 * every;
      else
        do ends += 1440;
        while (weekdayOf(ends - ofDay(handoffTime)) !== handoffDay);
      let counts = given.restrictions.length === 0;
      for (let day = Math.floor(begins / 1440) * 1440 - 2 * 1440; day < ends && !counts; day += 1440)
        counts = windowsOn(given, day).some(([from, to]) => from < ends && begins < to);
      let taker = turn;
      while (turns[taker % turns.length] === null) taker++;
      if (ends > FROM_MS / MINUTE_MS - 3 * 1440)
        for (let minute = minuteOf(clock, begins); minute < Math.min(minuteOf(clock, ends), end, MINUTES); minute++)
          if (minute >= 0) painted[minute] = turns[taker % turns.length]!;
      if (counts) turn++;
      begins = ends;
    }
    const isOpen = new Uint8Array(MINUTES);
    for (let day = FROM_MS / MINUTE_MS - 3 * 1440; day < FROM_MS / MINUTE_MS + MINUTES + 3 * 1440; day += 1440) {
      const isHoliday = holidays.includes(new Date(day * MINUTE_MS).toISOString().slice(0, 10));
      if (given.holidays !== 'ignore' && isHoliday !== (given.holidays === 'only')) continue;
      for (const [from, to] of windowsOn(given, day)) {
        const [first, last] = [minuteOf(clock, from), minuteOf(clock, to)];
        for (let minute = Math.max(first, 0); minute < Math.min(last, MINUTES); minute++) isOpen[minute] = 1;
      }
    }
    const isAlways = given.restrictions.length === 0 && given.holidays === 'ignore';
    for (let minute = 0; minute < MINUTES; minute++)
      if (painted[minute] !== null && (isAlways || isOpen[minute] === 1)) minutes[minute] = painted[minute]!;
  }
  for (const { userId, startMs, endMs } of overrides.toReversed())
    for (let ms = Math.max(startMs, FROM_MS); ms < Math.min(endMs, FROM_MS + MINUTES * MINUTE_MS); ms += MINUTE_MS)
      minutes[(ms - FROM_MS) / MINUTE_MS] = userId;
  return minutes;
}

const time = fc
  .tuple(fc.nat(23), fc.constantFrom(0, 15, 30))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const date = (from: number, days: number) =>
  fc.nat(days).map((day) => new Date(from + day * DAY_MS).toISOString().slice(0, 10));
const rotation = fc.oneof(
  fc.record({
    unit: fc.constant('hour' as const),
    every: fc.integer({ min: 1, max: 52 }),
    handoffTime: time,
    handoffDay: fc.constant(null),
  }),
  fc.record({
    unit: fc.constant('day' as const),
    every: fc.integer({ min: 1, max: 9 }),
    handoffTime: time,
    handoffDay: fc.constant(null),
  }),
  fc.record({
    unit: fc.constant('week' as const),
    every: fc.integer({ min: 1, max: 5 }),
    handoffTime: time,
    handoffDay: fc.constantFrom(...WEEKDAYS),
  }),
);
const restrictions = fc.array(
  fc.record({
    days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 7 }),
    start: time,
    end: time,
  }),
  { maxLength: 3 },
);
const layers = fc.array(
  fc.record({
    name: fc.constant('Layer'),
    rotation,
    startDate: date(Date.UTC(2025, 6, 1), 400),
    endDate: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, date(Date.UTC(2026, 8, 1), 100)),
    restrictions,
    holidays: fc.constantFrom('ignore' as const, 'skip' as const, 'only' as const),
    turns: fc.array(fc.constantFrom('ann', 'bob', 'cyd', null), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const plans = (timezone: string) =>
  fc.record({
    timezone: fc.constant(timezone),
    layers,
    holidays: fc.uniqueArray(date(FROM_MS, 364), { maxLength: 12 }),
    former: fc.constant([]),
    overrides: fc.array(
      fc
        .record({ userId: fc.constantFrom('eve', 'fay'), hour: fc.nat(8_700), hours: fc.integer({ min: 1, max: 90 }) })
        .map(({ userId, hour, hours }) => ({
          userId,
          startMs: FROM_MS + hour * HOUR_MS,
          endMs: FROM_MS + (hour + hours) * HOUR_MS,
        })),
      { maxLength: 4 },
    ),
  });

describe('the shifts of a schedule with layers', () => {
  for (const timezone of ZONES)
    it(`name the same person as a model in every minute of a year (${timezone})`, () => {
      fc.assert(
        fc.property(plans(timezone), (given) => {
          const expected = model(given);
          const shifts = decideShifts(given, FROM_MS, FROM_MS + MINUTES * MINUTE_MS);
          for (const [index, { userId, startMs, endMs }] of shifts.entries()) {
            expect(startMs).to.be.below(endMs);
            if (index > 0) expect(startMs, 'no gap, no two at once').to.equal(shifts[index - 1]!.endMs);
            const from = Math.max(startMs - FROM_MS, 0) / MINUTE_MS;
            const to = Math.min((endMs - FROM_MS) / MINUTE_MS, MINUTES);
            for (let minute = from; minute < to; minute++)
              if (expected[minute] !== userId)
                throw new Error(
                  `${new Date(FROM_MS + minute * MINUTE_MS).toISOString()}: ${userId}, not ${expected[minute]}`,
                );
          }
          const middle = shifts[Math.floor(shifts.length / 2)]!;
          const moment = Math.max(middle.startMs, FROM_MS);
          expect(decideOnCall(given, moment)).to.deep.equal(middle);
          if (Number.isFinite(middle.endMs)) expect(decideOnCall(given, middle.endMs - 1)).to.deep.equal(middle);
        }),
        { numRuns: 12 },
      );
    }).timeout(300_000);

  it('count turns only inside restrictions: weekends alternate although five days pass between them', () => {
    const given = plan([
      layer({ restrictions: [{ days: ['saturday', 'sunday'], start: '09:00', end: '09:00' }], turns: ['ann', 'bob'] }),
    ]);
    const days = ['10', '11', '17', '18', '24'].map((day) => who(given, `2026-01-${day}T12:00:00Z`));
    expect(days).to.deep.equal(['ann', 'bob', 'ann', 'bob', 'ann']);
    expect(who(given, '2026-01-12T12:00:00Z')).to.equal(null);
  });

  it('hand over on the clocks of the season, also of hours', () => {
    const given = plan([
      layer({ rotation: { unit: 'hour', every: 12, handoffTime: '09:00', handoffDay: null }, turns: ['ann', 'bob'] }),
    ]);
    for (const day of ['2026-02-10', '2026-07-10', '2026-12-10']) {
      const offset = day.startsWith('2026-07') ? '+02:00' : '+01:00';
      expect(who(given, `${day}T08:59:59${offset}`), day).to.equal('bob');
      expect(who(given, `${day}T09:00:00${offset}`), day).to.equal('ann');
      expect(who(given, `${day}T21:00:00${offset}`), day).to.equal('bob');
    }
  });

  it('lose no hour where the clocks change within a restriction', () => {
    const nights = plan([layer({ restrictions: [{ days: [...WEEKDAYS], start: '22:00', end: '06:00' }] })]);
    const lengths = decideShifts(nights, at('2026-10-23T12:00:00Z'), at('2026-10-26T12:00:00Z'))
      .filter(({ userId }) => userId !== null)
      .map(({ startMs, endMs }) => (endMs - startMs) / HOUR_MS);
    expect(lengths).to.deep.equal([8, 9, 8]);
  });

  it('let a time over midnight belong to the day on which it begins, on holidays too', () => {
    const given = plan(
      [layer({ restrictions: [{ days: ['friday'], start: '22:00', end: '06:00' }], holidays: 'skip', turns: ['ann'] })],
      { holidays: ['2026-01-17', '2026-01-23'] },
    );
    expect(who(given, '2026-01-17T02:00:00Z'), 'the Saturday is a holiday').to.equal('ann');
    expect(who(given, '2026-01-24T02:00:00Z'), 'the Friday is a holiday').to.equal(null);
  });

  it('are of the last layer that has somebody', () => {
    const given = plan(
      [layer({ turns: ['ann'] }), layer({ turns: ['bob'], holidays: 'only' }), layer({ turns: [null] })],
      { holidays: ['2026-01-20'] },
    );
    expect(who(given, '2026-01-20T12:00:00Z')).to.equal('bob');
    expect(who(given, '2026-01-21T12:00:00Z')).to.equal('ann');
  });

  it('end in time for a year of hourly shifts with many layers', () => {
    const one = layer({
      rotation: { unit: 'hour', every: 1, handoffTime: '09:00', handoffDay: null },
      restrictions: [{ days: ['monday', 'friday'], start: '10:00', end: '16:00' }],
    });
    const given = plan(
      Array.from({ length: 8 }, () => one),
      { timezone: 'America/New_York' },
    );
    const before = process.cpuUsage();
    decideShifts(given, FROM_MS, FROM_MS + 366 * DAY_MS);
    expect(process.cpuUsage(before).user / 1_000).to.be.below(2_000);
  });
});

describe('a change of layers', () => {
  it('never moves a shift that has begun, unless its person no longer takes part', () => {
    fc.assert(
      fc.property(
        plans('Europe/Berlin'),
        layers,
        layers,
        fc.nat(300),
        fc.nat(90),
        (first, second, third, day, later) => {
          let now = first as OnCallPlan;
          let nowMs = FROM_MS + day * DAY_MS;
          for (const next of [second, third]) {
            const old = now;
            const people = new Set<string | null>(next.flatMap(({ turns }) => turns));
            const running = baseFinder(old)(nowMs);
            now = { ...old, layers: next, former: decideFormer(old, running, people, nowMs) };
            const limit = running.userId !== null && people.has(running.userId) ? running.endMs : nowMs;
            const [then, since] = [old, now].map((one) =>
              decideShifts(one, FROM_MS, limit).map(({ endMs, ...shift }) => ({
                ...shift,
                endMs: Math.min(endMs, limit),
              })),
            );
            expect(since).to.deep.equal(then);
            const current = baseFinder({ ...now, former: [] })(limit);
            expect(baseFinder(now)(limit)).to.include({ userId: current.userId, endMs: current.endMs });
            nowMs += later * HOUR_MS;
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
