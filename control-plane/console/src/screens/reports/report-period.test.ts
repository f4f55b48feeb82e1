import { expect } from 'chai';
import { boundsOf, readChoice } from './report-period.js';

const NOW = Date.UTC(2026, 10, 22, 12, 0, 30);
const choice = (query: string) => readChoice(new URLSearchParams(query));

describe('The period of a report on the screen', () => {
  it('is a week unless the address has another, and ends at a whole minute', () => {
    const bounds = { startDate: '2026-11-15T12:00:00.000Z', endDate: '2026-11-22T12:00:00.000Z' };
    expect(boundsOf(choice('monitor=a'), NOW)).to.deep.equal(bounds);
    expect(boundsOf(choice('period=forever'), NOW)).to.deep.equal(bounds);
  });

  it('contains both days of a custom one, and ends now at the latest', () => {
    const { startDate, endDate } = boundsOf(choice('period=custom&from=2026-11-01&to=2026-11-02'), NOW)!;
    expect(Date.parse(endDate) - Date.parse(startDate)).to.equal(2 * 86_400_000);
    expect(boundsOf(choice('period=custom&from=2026-11-01&to=2027-01-01'), NOW)!.endDate).to.equal(
      new Date(NOW).toISOString(),
    );
  });

  it('ends with the last day of a custom one, also where that has 23 or 25 hours', () => {
    const own = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
    try {
      const bounds = ['2026-03-29', '2026-10-25'].map((day) =>
        boundsOf(choice(`period=custom&from=${day}&to=${day}`), NOW),
      );
      expect(bounds).to.deep.equal([
        { startDate: '2026-03-28T23:00:00.000Z', endDate: '2026-03-29T22:00:00.000Z' },
        { startDate: '2026-10-24T22:00:00.000Z', endDate: '2026-10-25T23:00:00.000Z' },
      ]);
    } finally {
      if (own === undefined) delete process.env['TZ'];
      else process.env['TZ'] = own;
    }
  });

  it('is not known while a day is missing', () => {
    expect(boundsOf(choice('period=custom&from=2026-11-01'), NOW)).to.equal(undefined);
    expect(boundsOf(choice('period=custom&from=x&to=y'), NOW)).to.equal(undefined);
  });
});
