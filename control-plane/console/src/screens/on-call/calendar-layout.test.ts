import { expect } from 'chai';
import fc from 'fast-check';
import { addMonths, mondayOf } from '../../data/days.js';
import {
  dateOf,
  daysFrom,
  momentAt,
  placeOn,
  positionOf,
  LEAST_WIDTH,
  readCalendarQuery,
  rowsOf,
  startOfDate,
  stripsOf,
  turnPage,
} from './calendar-layout.js';

const HOUR = 3_600_000;
const BERLIN = 'Europe/Berlin';
const hoursOf = (date: string, zone: string) =>
  daysFrom(date, 1, zone).map(({ startMs, endMs }) => (endMs - startMs) / HOUR)[0];

describe('the calendar of shifts', () => {
  it('puts what would lie over each other into rows, and needs no more than one where each is wide enough', () => {
    expect(rowsOf([])).to.deep.equal([]);
    const widths = fc.array(fc.double({ min: 0.001, max: 0.3, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(widths, (asked) => {
        const total = asked.reduce((sum, width) => sum + width, 0);
        const scaled = asked.map((width) => width / total);
        const places = scaled.map((width, at) => {
          const from = scaled.slice(0, at).reduce((sum, one) => sum + one, 0);
          return { from, to: Math.min(1, from + width) };
        });
        const drawn = places.map(({ from, to }) => {
          const left = Math.min(from, 1 - LEAST_WIDTH);
          return { left, right: Math.max(to, left + LEAST_WIDTH) };
        });
        const rows = rowsOf(places);
        rows.forEach((row, at) =>
          rows.slice(0, at).forEach((other, before) => {
            if (row === other) expect(drawn[before]!.right).to.be.at.most(drawn[at]!.left + 1e-6);
          }),
        );
        if (scaled.every((width) => width >= LEAST_WIDTH)) expect(Math.max(...rows)).to.equal(0);
      }),
      { numRuns: 60 },
    );
  });

  it('gives days 23 and 25 hours where clocks change, and 24 otherwise', () => {
    expect(hoursOf('2026-03-29', BERLIN)).to.equal(23);
    expect(hoursOf('2026-10-25', BERLIN)).to.equal(25);
    expect(hoursOf('2026-11-22', BERLIN)).to.equal(24);
    expect(hoursOf('2026-04-05', 'Australia/Lord_Howe')).to.equal(24.5);
    expect(hoursOf('2026-11-22', 'Asia/Kathmandu')).to.equal(24);
  });

  it('begins a day after the time that clocks skip at midnight', () => {
    // Chile puts its clocks forward at midnight.
    const start = startOfDate('2026-09-06', 'America/Santiago');
    expect(new Date(start).toISOString()).to.equal('2026-09-06T04:00:00.000Z');
    expect(dateOf(start, 'America/Santiago')).to.equal('2026-09-06');
    expect(dateOf(start - 1, 'America/Santiago')).to.equal('2026-09-05');
    expect(hoursOf('2026-09-06', 'America/Santiago')).to.equal(23);
  });

  it('follows every day of two years without a gap in zones of all kinds', () => {
    for (const zone of [BERLIN, 'America/New_York', 'America/Santiago', 'Pacific/Auckland', 'Asia/Kathmandu', 'UTC'])
      for (const [index, day] of daysFrom('2026-01-01', 730, zone).entries()) {
        expect(dateOf(day.startMs, zone), `${zone} ${index}`).to.equal(day.date);
        expect(dateOf(day.endMs - 1, zone), `${zone} ${index}`).to.equal(day.date);
      }
  });

  it('shows the week from Monday, and a month in whole weeks', () => {
    expect(mondayOf('2026-11-22')).to.equal('2026-11-16');
    expect(mondayOf('2026-11-16')).to.equal('2026-11-16');
    expect(stripsOf('week', '2026-11-22', BERLIN)[0]!.map(({ date }) => date)[6]).to.equal('2026-11-22');
    const month = stripsOf('month', '2026-11-22', BERLIN);
    expect([month[0]![0]!.date, month.at(-1)!.at(-1)!.date]).to.deep.equal(['2026-10-26', '2026-12-06']);
    expect(stripsOf('month', '2027-02-10', BERLIN)).to.have.length(4);
  });

  it('turns pages by weeks and months', () => {
    expect(turnPage('week', '2026-12-30', 1)).to.equal('2027-01-06');
    expect(turnPage('month', '2026-12-30', 1)).to.equal('2027-01-01');
    expect(turnPage('month', '2026-03-31', -1)).to.equal('2026-02-01');
    expect(addMonths('2026-01-31', 1)).to.equal('2026-02-01');
  });

  it('places a moment by the length of its own day, and finds it again', () => {
    const days = daysFrom('2026-03-23', 7, BERLIN);
    // 09:00 of the day without 02:00 is eight of its 23 hours after midnight.
    const handoff = Date.parse('2026-03-29T07:00:00Z');
    expect(positionOf(handoff, days)).to.be.closeTo((6 + 8 / 23) / 7, 1e-9);
    expect(momentAt(positionOf(handoff, days), days, HOUR / 2)).to.equal(handoff);
    expect(positionOf(days[3]!.startMs, days)).to.be.closeTo(3 / 7, 1e-9);
    expect(momentAt(1, days, HOUR)).to.equal(days[6]!.endMs);
    expect(momentAt(-1, days, HOUR)).to.equal(days[0]!.startMs);
  });

  it('cuts what is longer than the strip, and leaves out what is beside it', () => {
    const days = daysFrom('2026-11-16', 7, BERLIN);
    const [first, last] = [days[0]!.startMs, days[6]!.endMs];
    expect(placeOn({ startMs: first - HOUR, endMs: last + HOUR }, days)).to.deep.equal({
      from: 0,
      to: 1,
      beginsBefore: true,
      endsAfter: true,
    });
    expect(placeOn({ startMs: first, endMs: last }, days)).to.include({ beginsBefore: false, endsAfter: false });
    expect(placeOn({ startMs: last, endMs: last + HOUR }, days)).to.equal(undefined);
    expect(placeOn({ startMs: first - HOUR, endMs: first }, days)).to.equal(undefined);
  });

  it('keeps to what an address can mean', () => {
    const defaults = { view: 'week', today: '2026-11-22' } as const;
    const read = (text: string) => readCalendarQuery(new URLSearchParams(text), defaults);
    expect(read('')).to.deep.equal({ view: 'week', date: '2026-11-22', teamId: '' });
    expect(read('view=month&date=2026-02-28&team=x')).to.deep.equal({ view: 'month', date: '2026-02-28', teamId: 'x' });
    expect(read('view=year&date=2026-02-31').date).to.equal('2026-11-22');
  });
});
