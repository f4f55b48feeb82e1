import { expect } from 'chai';
import fc from 'fast-check';
import { HOUR_MS } from '@watchpost/shared/time';
import { isWithinQuietHours } from './decide-quiet-hours.js';

const at = (text: string) => Date.parse(text);
const night = { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' };

const clockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const anyTime = fc.nat(24 * 60 - 1);
const anyMoment = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') });
const anyZone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');

describe('Quiet hours', () => {
  it('follow the local time, overnight and through changes of the clocks', () => {
    expect(isWithinQuietHours(night, at('2026-11-21T20:59:59Z'))).to.equal(false);
    expect(isWithinQuietHours(night, at('2026-11-21T21:00:00Z'))).to.equal(true);
    expect(isWithinQuietHours(night, at('2026-11-22T05:59:59Z'))).to.equal(true);
    expect(isWithinQuietHours(night, at('2026-11-22T06:00:00Z'))).to.equal(false);
    expect(isWithinQuietHours(night, at('2027-03-28T04:59:59Z')), 'the clocks went forward').to.equal(true);
    expect(isWithinQuietHours(night, at('2027-03-28T05:00:00Z'))).to.equal(false);
    expect(isWithinQuietHours({ ...night, start: '12:00', end: '13:00' }, at('2026-11-21T11:30:00Z'))).to.equal(true);
    expect(isWithinQuietHours(null, at('2026-11-21T23:00:00Z'))).to.equal(false);
  });

  it('complement the other hours of the day at every time', () => {
    fc.assert(
      fc.property(anyTime, anyTime, anyZone, anyMoment, (from, to, timezone, atMs) => {
        fc.pre(from !== to);
        const [start, end] = [clockText(from), clockText(to)];
        expect(isWithinQuietHours({ start, end, timezone }, atMs)).to.equal(
          !isWithinQuietHours({ start: end, end: start, timezone }, atMs),
        );
      }),
    );
  });

  it('last as long every day as they state if no clocks change', () => {
    fc.assert(
      fc.property(fc.nat(23), fc.nat(23), fc.nat(364), (from, to, day) => {
        fc.pre(from !== to);
        const hours = { start: clockText(from * 60), end: clockText(to * 60), timezone: 'Asia/Kolkata' };
        // The offset of the zone includes half an hour: full hours of UTC are never at a boundary.
        const begin = at('2026-01-01T00:00:00Z') + day * 24 * HOUR_MS;
        const quiet = Array.from({ length: 24 }, (_, hour) => isWithinQuietHours(hours, begin + hour * HOUR_MS)).filter(
          Boolean,
        );
        expect(quiet).to.have.length((to - from + 24) % 24);
      }),
    );
  });
});
