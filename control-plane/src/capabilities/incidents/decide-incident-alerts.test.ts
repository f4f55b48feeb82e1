import { expect } from 'chai';
import { alertOfCommand, alertsOfChange } from './decide-incident-alerts.js';
import type { IncidentCommand } from './incident-commands.js';

const base = { workspaceId: 'w', incidentId: 'i', atMs: 7 };
const row = { id: 'i', monitorKey: 3, severityChanged: false, regionsChanged: false, wasOver: false };
type Change = Exclude<IncidentCommand, { kind: 'open' }>;
const update: Change = {
  ...base,
  kind: 'update',
  regions: [],
  severity: 'down',
  events: [],
};

describe('what is told of an incident that changes', () => {
  const told = (...args: Parameters<typeof alertOfCommand>) =>
    alertOfCommand(...args).map(({ type, detail }) => [type, detail]);

  it('is nothing where neither severity nor regions changed', () => {
    expect(told(update, row)).to.deep.equal([]);
  });
  it('is minor where another region fails', () => {
    expect(told(update, { ...row, regionsChanged: true })).to.deep.equal([
      ['incident.updated', { change: 'regions', minor: true }],
    ]);
  });
  it('is not minor where it got worse', () => {
    expect(told(update, { ...row, regionsChanged: true, severityChanged: true })).to.deep.equal([
      ['incident.updated', { change: 'severity' }],
    ]);
  });
  it('is its end where it closes by itself', () => {
    expect(told({ ...base, kind: 'recover', autoClose: true, events: [] }, row)).to.deep.equal([
      ['incident.resolved', {}],
    ]);
  });
  it('is its recovery, once, where a person closes it', () => {
    const recover: Change = { ...base, kind: 'recover', autoClose: false, events: [] };
    expect(told(recover, row)).to.deep.equal([['incident.updated', { change: 'recovered' }]]);
    expect(told(recover, { ...row, wasOver: true })).to.deep.equal([]);
  });
  it('says why where nobody looks any more', () => {
    expect(told({ ...base, kind: 'stop', reason: 'Paused.' }, row)).to.deep.equal([
      ['incident.resolved', { reason: 'Paused.' }],
    ]);
  });
  it('keeps the order of what a person did at once, and says who', () => {
    const events = alertsOfChange({ workspaceId: 'w', monitorKey: 3, incidentId: 'i', actorId: 'ann' }, [
      { type: 'acknowledged', atMs: 1, detail: {} },
      { type: 'closed', atMs: 1, detail: { automatic: false } },
    ]);
    expect(events.map(({ type, detail }) => [type, detail.actorId])).to.deep.equal([
      ['incident.acknowledged', 'ann'],
      ['incident.resolved', 'ann'],
    ]);
  });
});
