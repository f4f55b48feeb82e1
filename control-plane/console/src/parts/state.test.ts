import { expect } from 'chai';
import { lookOf, stateOf, stateWord, wordOf } from './state.js';

const monitor = (healthStatus: 'available' | 'unavailable' | 'degraded' | null, ...regions: string[]) => ({
  monitoringStatus: 'enabled',
  healthStatus,
  regions: regions.map((status) => ({ status })),
  maintenance: null,
});

describe('The state of a monitor', () => {
  it('is unknown without a verdict, never available', () => {
    expect(stateOf(monitor(null, 'available'))).to.equal('unknown');
  });

  it('is partial where regions disagree, and degraded where they do not', () => {
    expect(stateOf(monitor('degraded', 'available', 'unavailable'))).to.equal('partial');
    expect(stateOf(monitor('degraded', 'available'))).to.equal('degraded');
    expect([wordOf('degraded'), lookOf('degraded')]).to.deep.equal(['Degraded', 'partial']);
  });

  it('is maintenance while a window covers it, with its end', () => {
    const covered = { ...monitor('unavailable'), maintenance: { until: '2027-03-28T02:00:00Z' } };
    expect(stateOf(covered)).to.equal('maintenance');
    expect(stateWord(covered)).to.match(/^Maintenance until 28 Mar 2027, /);
    expect(stateOf({ ...covered, monitoringStatus: 'paused' })).to.equal('paused');
  });

  it('is paused whatever its last verdict was', () => {
    expect(stateOf({ ...monitor('available'), monitoringStatus: 'paused' })).to.equal('paused');
  });
});
