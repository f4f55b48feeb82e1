import { expect } from 'chai';
import { lookOf, stateOf, wordOf } from './state.js';

const monitor = (healthStatus: 'available' | 'unavailable' | 'degraded' | null, ...regions: string[]) => ({
  monitoringStatus: 'enabled',
  healthStatus,
  regions: regions.map((status) => ({ status })),
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

  it('is paused whatever its last verdict was', () => {
    expect(stateOf({ ...monitor('available'), monitoringStatus: 'paused' })).to.equal('paused');
  });
});
