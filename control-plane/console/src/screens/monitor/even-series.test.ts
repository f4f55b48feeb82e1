import { expect } from 'chai';
import { evenSeries } from './even-series.js';

const at = (minute: number, average: number) => ({
  time: new Date(Date.parse('2026-11-22T12:00:00Z') + minute * 60_000).toISOString(),
  average,
  p95: average * 2,
  p99: average * 3,
});
const range = { startMs: Date.parse('2026-11-22T12:00:00Z'), endMs: Date.parse('2026-11-22T12:50:00Z') };

describe('A latency series', () => {
  it('has gaps where there were no checks', () => {
    const series = evenSeries([at(10, 1), at(20, 2), at(40, 4)], range);
    expect(series).to.include({ start: '2026-11-22T12:00:00.000Z', stepSeconds: 600 });
    expect(series.average).to.deep.equal([null, 1, 2, null, 4]);
    expect(series.p95).to.deep.equal([null, 2, 4, null, 8]);
  });

  it('of one point, and of none, covers the range', () => {
    const one = evenSeries([at(25, 5)], range);
    expect(one.average.filter((value) => value !== null)).to.deep.equal([5]);
    expect(one.average.length).to.be.within(90, 100);
    expect(evenSeries([], range).average.every((value) => value === null)).to.equal(true);
  });
});
