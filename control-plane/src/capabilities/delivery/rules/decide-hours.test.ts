import { expect } from 'chai';
import fc from 'fast-check';
import { WEEKDAYS } from '../../on-call/index.js';
import { hoursBeginAt } from './decide-hours.js';

type Hours = NonNullable<Parameters<typeof hoursBeginAt>[0]>;

const hours = (more: Partial<Hours> = {}): Hours => ({
  timezone: 'Europe/Dublin',
  days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  start: '09:00',
  end: '17:30',
  outside: 'hold',
  ...more,
});
const at = (text: string) => Date.parse(text);
const beginsAt = (given: Hours, text: string) => {
  const ms = hoursBeginAt(given, at(text));
  return ms === null ? 'now' : new Date(ms).toISOString();
};
const weekdayOf = (timeZone: string, ms: number) =>
  new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(ms).toLowerCase();
const dayAfter = (day: Hours['days'][number]) => WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % 7]!;

describe('The hours of an action group', () => {
  it('are on from their start to just before their end', () => {
    expect(beginsAt(hours(), '2026-11-23T08:59:59.999Z')).to.equal('2026-11-23T09:00:00.000Z');
    expect(beginsAt(hours(), '2026-11-23T09:00:00Z')).to.equal('now');
    expect(beginsAt(hours(), '2026-11-23T17:29:59.999Z')).to.equal('now');
    expect(beginsAt(hours(), '2026-11-23T17:30:00Z')).to.equal('2026-11-24T09:00:00.000Z');
  });
  it('begin after the weekend', () => {
    expect(beginsAt(hours(), '2026-11-27T18:00:00Z')).to.equal('2026-11-30T09:00:00.000Z');
  });
  it('belong over midnight to the day on which they begin', () => {
    const night = hours({ days: ['friday'], start: '22:00', end: '06:00' });
    expect(beginsAt(night, '2026-11-28T05:59:00Z')).to.equal('now');
    expect(beginsAt(night, '2026-11-27T05:59:00Z'), 'the night from Thursday').to.equal('2026-11-27T22:00:00.000Z');
    expect(beginsAt(night, '2026-11-28T06:00:00Z')).to.equal('2026-12-04T22:00:00.000Z');
  });
  it('follow the clocks of their zone when these change', () => {
    expect(beginsAt(hours({ days: ['monday'] }), '2026-03-28T12:00:00Z')).to.equal('2026-03-30T08:00:00.000Z');
    const skipped = hours({ days: ['sunday'], start: '01:30', end: '04:00' });
    expect(beginsAt(skipped, '2026-03-28T12:00:00Z'), '01:30 is skipped').to.equal('2026-03-29T01:30:00.000Z');
    const twice = hours({ days: ['sunday'], start: '01:30', end: '04:00' });
    expect(beginsAt(twice, '2026-10-24T12:00:00Z'), '01:30 comes twice').to.equal('2026-10-25T00:30:00.000Z');
  });
  it('that a change of clocks leaves without length are those of the week after', () => {
    const skipped = hours({ days: ['sunday'], start: '01:30', end: '02:00' });
    for (const now of ['2026-03-22T12:00:00Z', '2026-03-28T12:00:00Z', '2026-03-29T01:15:00Z'])
      expect(beginsAt(skipped, now), now).to.equal('2026-04-05T00:30:00.000Z');
  });
  it('are on at a time or begin after it, in any zone, on any days', () => {
    const time = fc
      .tuple(fc.nat(23), fc.constantFrom('00', '15', '30', '45'))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
    const zones = [
      'Europe/Dublin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Kathmandu',
      'America/Nuuk',
    ];
    fc.assert(
      fc.property(
        ...([fc.constantFrom(...zones), fc.constantFrom(...WEEKDAYS), time, time] as const),
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
        (timezone, day, start, end, nowMs) => {
          fc.pre(start !== end);
          const given = hours({ timezone, days: [day], start, end });
          const next = hoursBeginAt(given, nowMs);
          if (next === null) {
            expect([day, dayAfter(day)]).to.include(weekdayOf(timezone, nowMs));
            return;
          }
          expect(next).to.be.greaterThan(nowMs);
          expect(weekdayOf(timezone, next)).to.equal(day);
          expect(hoursBeginAt(given, next), 'they are on when they begin').to.equal(null);
          expect(hoursBeginAt(given, next - 1), 'and not before').to.equal(next);
        },
      ),
    );
  });
  it('are always on where none are given', () => {
    expect(hoursBeginAt(null, 0)).to.equal(null);
  });
});
