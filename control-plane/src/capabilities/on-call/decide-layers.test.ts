import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { baseFinder, decideFormer, decideOnCall, decideShifts, type OnCallPlan } from './decide-on-call.js';
import { type Layer, type Weekday, WEEKDAYS } from './decide-rotation.js';
import { isOwnShift } from './follow-swaps.js';
import { readyShifts } from './readiness.js';
import { shiftsInSlices } from './read-on-call.js';

/** With clocks that move by an hour, by 30 minutes, by two hours, at midnight, around Ramadan, and not at all. */
const ZONES = [
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kolkata',
] as const;
const FROM_MS = Date.UTC(2026, 0, 1);
/** All times here and all offsets of these zones are multiples of a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const DAY = 96;
const QUARTERS = 365 * DAY;
/** Local times before and after the year that shifts and clocks reach, in quarters. */
const MARGIN = 60 * DAY;

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

/** The wall clock of a zone for each quarter of the year, as the runtime's own calendar has it, in quarters since the epoch. */
interface WallClock {
  local: Float64Array;
  /** The first quarter of the year (from 0) at which the clock shows a local one. */
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
  const made: WallClock = { local: new Float64Array(QUARTERS + 2 * MARGIN), first: new Map() };
  for (let quarter = 0; quarter < made.local.length; quarter++) {
    const shown = format.format(FROM_MS + (quarter - MARGIN) * QUARTER_MS).replace(', ', 'T');
    const local = Date.parse(`${shown}Z`) / QUARTER_MS;
    made.local[quarter] = local;
    if (!made.first.has(local)) made.first.set(local, quarter - MARGIN);
  }
  clocks.set(timezone, made);
  return made;
}

/** The quarter of the year at which a local one comes: the first time, or as much later as the clock skips. */
function quarterOf({ local, first }: WallClock, target: number): number {
  const found = first.get(target);
  if (found !== undefined) return found;
  if (target < local[0]!) return -MARGIN;
  const after = local.findIndex((shown) => shown > target);
  if (after < 0) return QUARTERS + MARGIN;
  return first.get(target + local[after]! - local[after - 1]! - 1)!;
}

const dayOf = (date: string) => Date.parse(`${date}T00:00Z`) / QUARTER_MS;
const ofDay = (time: string) => Number(time.slice(0, 2)) * 4 + Number(time.slice(3)) / 15;
const weekdayOf = (day: number): Weekday => WEEKDAYS[(new Date(day * QUARTER_MS).getUTCDay() + 6) % 7]!;

/** The times that restrictions leave, as local quarters, by the day on which they begin. */
function windowsOn(given: Layer, day: number): [number, number][] {
  const all = given.restrictions.length > 0 ? given.restrictions : [{ days: WEEKDAYS, start: '00:00', end: '00:00' }];
  return all
    .filter(({ days }) => days.includes(weekdayOf(day)))
    .map(({ start, end }) => {
      const length = ofDay(end) - ofDay(start);
      return [day + ofDay(start), day + ofDay(start) + (length > 0 ? length : length + DAY)];
    });
}

/** Paints each quarter of the year with the person on call, shift by shift and window by window. */
function model({ timezone, layers, holidays, overrides }: OnCallPlan): (string | null)[] {
  const clock = wallClock(timezone);
  const quarters = Array.from<string | null>({ length: QUARTERS }).fill(null);
  for (const given of layers) {
    const turns = given.turns;
    if (turns.every((one) => one === null)) continue;
    const painted = Array.from<string | null>({ length: QUARTERS }).fill(null);
    const { unit, every, handoffTime, handoffDay } = given.rotation;
    let begins = dayOf(given.startDate) + ofDay(handoffTime);
    const end = given.endDate === null ? Infinity : quarterOf(clock, dayOf(given.endDate) + ofDay(handoffTime));
    for (let turn = 0, isFirst = true; begins < FROM_MS / QUARTER_MS + QUARTERS + 2 * DAY; isFirst = false) {
      let ends = begins;
      if (unit === 'hour') ends += 4 * every;
      else if (unit === 'day') ends += DAY * every;
      else if (!isFirst) ends += 7 * DAY * every;
      else
        do ends += DAY;
        while (weekdayOf(ends - ofDay(handoffTime)) !== handoffDay);
      let counts = given.restrictions.length === 0;
      for (let day = Math.floor(begins / DAY) * DAY - 2 * DAY; day < ends && !counts; day += DAY)
        counts = windowsOn(given, day).some(([from, to]) => from < ends && begins < to);
      let taker = turn;
      while (turns[taker % turns.length] === null) taker++;
      if (ends > FROM_MS / QUARTER_MS - 3 * DAY)
        for (
          let quarter = quarterOf(clock, begins);
          quarter < Math.min(quarterOf(clock, ends), end, QUARTERS);
          quarter++
        )
          if (quarter >= 0) painted[quarter] = turns[taker % turns.length]!;
      if (counts) turn++;
      begins = ends;
    }
    const isOpen = new Uint8Array(QUARTERS);
    for (let day = FROM_MS / QUARTER_MS - 3 * DAY; day < FROM_MS / QUARTER_MS + QUARTERS + 3 * DAY; day += DAY) {
      const isHoliday = holidays.includes(new Date(day * QUARTER_MS).toISOString().slice(0, 10));
      if (given.holidays !== 'ignore' && isHoliday !== (given.holidays === 'only')) continue;
      for (const [from, to] of windowsOn(given, day)) {
        const [first, last] = [quarterOf(clock, from), quarterOf(clock, to)];
        for (let quarter = Math.max(first, 0); quarter < Math.min(last, QUARTERS); quarter++) isOpen[quarter] = 1;
      }
    }
    const isAlways = given.restrictions.length === 0 && given.holidays === 'ignore';
    for (let quarter = 0; quarter < QUARTERS; quarter++)
      if (painted[quarter] !== null && (isAlways || isOpen[quarter] === 1)) quarters[quarter] = painted[quarter]!;
  }
  for (const { userId, startMs, endMs } of overrides.toReversed())
    for (let ms = Math.max(startMs, FROM_MS); ms < Math.min(endMs, FROM_MS + QUARTERS * QUARTER_MS); ms += QUARTER_MS)
      quarters[(ms - FROM_MS) / QUARTER_MS] = userId;
  return quarters;
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
    it(`name the same person as a model in every quarter of an hour of a year (${timezone})`, () => {
      fc.assert(
        fc.property(plans(timezone), (given) => {
          const expected = model(given);
          const shifts = decideShifts(given, FROM_MS, FROM_MS + QUARTERS * QUARTER_MS);
          for (const [index, { userId, startMs, endMs }] of shifts.entries()) {
            expect(startMs).to.be.below(endMs);
            if (Number.isFinite(startMs)) expect(startMs % QUARTER_MS).to.equal(0);
            if (index > 0) expect(startMs, 'no gap, no two at once').to.equal(shifts[index - 1]!.endMs);
            const from = Math.max(startMs - FROM_MS, 0) / QUARTER_MS;
            const to = Math.min((endMs - FROM_MS) / QUARTER_MS, QUARTERS);
            for (let quarter = from; quarter < to; quarter++)
              if (expected[quarter] !== userId)
                throw new Error(
                  `${new Date(FROM_MS + quarter * QUARTER_MS).toISOString()}: ${userId}, not ${expected[quarter]}`,
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

  it('go on after holidays on the only day of several weeks', () => {
    const restrictions = [{ days: ['wednesday' as const], start: '09:00', end: '17:00' }];
    const holidays = ['2026-01-07', '2026-01-14', '2026-01-21'];
    const given = plan([layer({ restrictions, holidays: 'skip', turns: ['ann'] })], { timezone: 'UTC', holidays });
    const shifts = decideShifts(given, at('2025-12-31T17:00:00Z'), at('2026-01-29T00:00:00Z'));
    expect(shifts.filter(({ userId }) => userId !== null)).to.deep.equal([
      { userId: 'ann', source: 'rotation', startMs: at('2026-01-28T09:00:00Z'), endMs: at('2026-01-28T17:00:00Z') },
    ]);
  });

  /** As much as a schedule can have. */
  const largest = plan(
    Array.from({ length: 8 }, () =>
      layer({
        rotation: { unit: 'hour', every: 1, handoffTime: '09:00', handoffDay: null },
        restrictions: Array.from({ length: 20 }, (_, hour) => ({
          days: WEEKDAYS,
          start: `${String(hour).padStart(2, '0')}:15`,
          end: `${String(hour).padStart(2, '0')}:45`,
        })),
        holidays: 'skip',
        turns: Array.from({ length: 50 }, (_, turn) => `user ${turn}`),
      }),
    ),
    {
      timezone: 'America/New_York',
      holidays: Array.from({ length: 400 }, (_, day) =>
        new Date(FROM_MS + 2 * day * DAY_MS).toISOString().slice(0, 10),
      ),
    },
  );

  it('leave others to be served, for a year of hourly shifts with many layers', async () => {
    let isServed = false;
    setImmediate(() => (isServed = true));
    const shifts = await shiftsInSlices(largest, FROM_MS, FROM_MS + 366 * DAY_MS);
    expect([shifts.length > 7_000, isServed]).to.deep.equal([true, true]);
  });

  it('and their problems are found in parts, so that others are served meanwhile', async () => {
    let isServed = false;
    setImmediate(() => (isServed = true));
    const ready = await readyShifts(largest, largest, new Map(), { nowMs: FROM_MS, untilMs: FROM_MS + 90 * DAY_MS });
    expect([ready.length > 1_500, isServed]).to.deep.equal([true, true]);
  });

  it('do not begin with the layers of each former change', () => {
    const begun = new Set<number>();
    const former = Array.from({ length: 100 }, (_, hour) => ({
      ...largest,
      layers: largest.layers.map((one) => ({
        ...one,
        get turns() {
          begun.add(hour);
          return one.turns;
        },
      })),
      untilMs: FROM_MS - (100 - hour) * HOUR_MS,
    }));
    for (let day = 1; day < 20; day++) decideOnCall({ ...largest, former }, FROM_MS + day * DAY_MS);
    expect([...begun]).to.deep.equal([]);
    decideOnCall({ ...largest, former }, FROM_MS - 2 * HOUR_MS);
    expect([...begun]).to.deep.equal([99]);
  });

  it('are kept only where they are short: what is read with a schedule stays small', () => {
    let now = largest;
    for (let change = 0; change < 30; change++) {
      const nowMs = FROM_MS + change * DAY_MS;
      const former = decideFormer(now, baseFinder(now)(nowMs), new Set(), nowMs);
      now = { ...now, former };
      expect(former.at(-1)).to.include({ untilMs: nowMs });
    }
    expect(JSON.stringify(now.former).length).to.be.below(256 * 1024);
    expect(now.former.length).to.be.above(3);
  });

  it('are asked about at a price that does not depend on the end that a swap names', () => {
    // So often that to go through all shifts until then would take many minutes.
    for (let day = 0; day < 10; day++)
      expect(isOwnShift(largest, 'user 1', FROM_MS + day * DAY_MS, Date.UTC(2200, 0))).to.equal(false);
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
