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
    const series = evenSeries([at(10, 1), at(20, 2), at(40, 4)], range, ['average', 'p95']);
    expect(series).to.include({ start: '2026-11-22T12:00:00.000Z', stepSeconds: 600 });
    expect(series.average).to.deep.equal([null, 1, 2, null, 4]);
    expect(series.p95).to.deep.equal([null, 2, 4, null, 8]);
  });

  it('of one point, and of none, covers the range', () => {
    const one = evenSeries([at(25, 5)], range, ['average', 'p95']);
    expect(one.average.filter((value) => value !== null)).to.deep.equal([5]);
    expect(one.average.length).to.be.within(90, 100);
    expect(evenSeries([], range, ['average', 'p95']).average.every((value) => value === null)).to.equal(true);
  });

  it('have no gap between checks whose steps are not equally long', () => {
    const startMs = Date.parse('2026-11-22T12:00:00Z');
    // Every two minutes, in steps of 23 s.
    const points = Array.from({ length: 60 }, (_, index) => ({
      time: new Date(startMs + Math.floor((index * 120) / 23) * 23_000).toISOString(),
      p95: index,
    }));
    const { p95 } = evenSeries(points, { startMs, endMs: startMs + 60 * 120_000 }, ['p95']);
    expect(p95.filter((value) => value !== null)).to.have.length.at.least(59);
    expect(p95.slice(0, 59)).to.not.include(null);
  });
});
