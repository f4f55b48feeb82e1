import { expect } from 'chai';
import { incidentState, stateOf, stateWord } from './state.js';

const monitor = (healthStatus: 'available' | 'unavailable' | 'degraded' | null) => ({
  monitoringStatus: 'enabled',
  healthStatus,
  maintenance: null,
});

describe('The state of a monitor', () => {
  it('is unknown without a verdict, never available', () => {
    expect(stateOf(monitor(null))).to.equal('unknown');
  });

  it('is called by one word on every screen', () => {
    expect([monitor('degraded'), monitor('unavailable')].map(stateWord)).to.deep.equal(['Degraded', 'Down']);
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

describe('The state of an incident', () => {
  const of = (severity: 'down' | 'partial' | 'warning', ended: string | null = null) =>
    incidentState({ isClosed: false, ended, severity, worstSeverity: severity }).word;

  it('is its severity while it lasts, and its worst afterwards', () => {
    expect([of('down'), of('partial'), of('warning')]).to.deep.equal(['Down', 'Partly down', 'Degraded']);
    const at = '2027-03-28T02:00:00Z';
    expect([of('partial', at), of('warning', at)]).to.deep.equal(['Recovered, was partly down', 'Recovered']);
  });
});
