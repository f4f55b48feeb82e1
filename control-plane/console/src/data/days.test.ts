import { expect } from 'chai';
import { dayOf, startOfDay } from './days.js';

describe('A day in the zone of the viewer', () => {
  const own = process.env['TZ'];
  before(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  after(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  it('begins at its midnight, in summer and in winter', () => {
    expect(startOfDay('2026-07-01')).to.equal('2026-06-30T22:00:00.000Z');
    expect(startOfDay('2026-12-31', 1)).to.equal('2026-12-31T23:00:00.000Z');
  });

  it('ends where the next one begins, after 23 or 25 hours where the clocks change', () => {
    const hours = (day: string) => (Date.parse(startOfDay(day, 1)) - Date.parse(startOfDay(day))) / 3_600_000;
    expect(['2026-03-29', '2026-06-01', '2026-10-25'].map(hours)).to.deep.equal([23, 24, 25]);
  });

  it('is what the address names', () => {
    expect(dayOf('2026-11-22')).to.equal('2026-11-22');
    expect(dayOf(null)).to.equal('');
  });

  it('is nothing where the text is none', () => {
    for (const text of ['', 'soon', '2026-13-01', '2026-02-30', '2026-1-1', '2026-11-22T10:00']) {
      expect(dayOf(text), text).to.equal('');
      expect(startOfDay(text), text).to.equal('');
    }
  });
});
