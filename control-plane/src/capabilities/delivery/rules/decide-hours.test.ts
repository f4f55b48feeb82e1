import { expect } from 'chai';
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
  it('are always on where none are given', () => {
    expect(hoursBeginAt(null, 0)).to.equal(null);
  });
});
