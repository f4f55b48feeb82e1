import { expect } from 'chai';
import { latencyChart } from './latency-chart.js';

const PERIOD = { periodStart: '2026-11-20T00:00:00.000Z', periodEnd: '2026-11-21T00:00:00.000Z', timezone: 'UTC' };
const SERIES = [{ time: '2026-11-20T06:00:00.000Z', average: 80, p95: 90, p99: 99 }];

function chartWith(...spans: [started: string, ended: string | null][]): string {
  const items = spans.map(([started, ended]) => ({ started, ended })) as never;
  const incidents = { total: spans.length, totalTimeToRecovery: null, meanTimeToRecovery: null, items };
  return latencyChart(PERIOD, [{ name: 'northeurope', series: SERIES }], incidents).text;
}

describe('the latency chart of a report', () => {
  it('marks the spans of incidents within the period, and its text counts them', () => {
    const chart = chartWith(
      ['2026-11-20T12:00:00.000Z', '2026-11-20T18:00:00.000Z'],
      ['2026-11-19T00:00:00.000Z', '2026-11-20T06:00:00.000Z'],
      ['2026-11-20T23:00:00.000Z', null],
    );
    const bands = [...chart.matchAll(/class="during"\s+x="([\d.]+)"\s+y="18"\s+width="([\d.]+)"/g)].map(
      ([, x, width]) => [x, width],
    );
    expect(bands).to.deep.equal([
      ['382', '163'],
      ['56', '163'],
      ['680.8', '27.2'],
    ]);
    expect(chart)
      .to.include('; 3 incidents are marked')
      .and.match(/<\/svg>\s*Incident/);
  });

  it('marks nothing where there was none', () => {
    const chart = chartWith(['2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z']);
    expect(chart).to.not.include('during');
    expect(chart).to.not.match(/incident/i);
  });
});
