import { expect } from 'chai';
import { dayAround, latencyOf } from './day-around.js';

const NOW = Date.UTC(2026, 10, 22, 12, 3);

describe('The day around an incident', () => {
  it('ends now while it is open, and two hours after it when it is over', () => {
    const started = '2026-11-22T11:00:00.000Z';
    expect(dayAround({ started, ended: null }, NOW)).to.deep.equal({
      startDate: '2026-11-21T12:05:00.000Z',
      endDate: '2026-11-22T12:05:00.000Z',
    });
    expect(dayAround({ started, ended: '2026-11-22T11:30:00.000Z' }, NOW).endDate).to.equal('2026-11-22T12:05:00.000Z');
    expect(dayAround({ started, ended: '2026-11-20T11:30:00.000Z' }, NOW).endDate).to.equal('2026-11-20T13:30:00.000Z');
  });

  it('has gaps where no check was measured', () => {
    const day = dayAround({ started: '', ended: null }, NOW);
    const { p95 } = latencyOf([{ time: '2026-11-21T12:20:00.000Z', p50: 1, p95: 80, p99: 90 }], day);
    expect(p95).to.have.length(96);
    expect(p95!.slice(0, 3)).to.deep.equal([null, 80, null]);
  });
});
