import { expect } from 'chai';
import { alertOfCommand, alertsOfChange } from './decide-incident-alerts.js';
import type { IncidentCommand } from './incident-commands.js';
import type { ChangedIncident } from './verdict-incident-store.js';

const base = { workspaceId: 'w', incidentId: 'i', atMs: 7 };
const row: ChangedIncident = {
  id: 'i',
  monitorKey: 3,
  severityBefore: 'down',
  severity: 'down',
  regionsChanged: false,
  wasOver: false,
  unacknowledged: false,
};
type Change = Exclude<IncidentCommand, { kind: 'open' }>;
const update: Change = {
  ...base,
  kind: 'update',
  regions: [],
  severity: 'down',
  events: [],
};

describe('the notifications that a change of an incident causes', () => {
  const notified = (...args: Parameters<typeof alertOfCommand>) =>
    alertOfCommand(...args).map(({ type, detail }) => [type, detail]);

  it('are none where neither severity nor regions changed', () => {
    expect(notified(update, row)).to.deep.equal([]);
  });
  it('are minor where another region fails', () => {
    expect(notified(update, { ...row, regionsChanged: true })).to.deep.equal([
      ['incident.updated', { change: 'regions', minor: true }],
    ]);
  });
  it('are not minor where the severity rises', () => {
    expect(notified(update, { ...row, regionsChanged: true, severityBefore: 'partial' })).to.deep.equal([
      ['incident.updated', { change: 'severity' }],
    ]);
  });
  it('announce the end of an incident that closes automatically', () => {
    expect(notified({ ...base, kind: 'recover', autoClose: true, events: [] }, row)).to.deep.equal([
      ['incident.resolved', {}],
    ]);
  });
  it('announce the recovery once where a person closes the incident', () => {
    const recover: Change = { ...base, kind: 'recover', autoClose: false, events: [] };
    expect(notified(recover, row)).to.deep.equal([['incident.updated', { change: 'recovered' }]]);
    expect(notified(recover, { ...row, wasOver: true })).to.deep.equal([]);
  });
  it('are silent during maintenance', () => {
    const recover: Change = { ...base, kind: 'recover', autoClose: true, isSilent: true, events: [] };
    expect(alertOfCommand(recover, row).map(({ type, isSilent }) => [type, isSilent])).to.deep.equal([
      ['incident.resolved', true],
    ]);
  });
  it('contain the reason where the monitor is no longer checked', () => {
    const closing = { type: 'closed', atMs: 1, detail: { automatic: true, reason: 'Paused.' } } as const;
    expect(notified({ ...base, kind: 'stop', closing }, row)).to.deep.equal([
      ['incident.resolved', { reason: 'Paused.' }],
    ]);
    expect(notified({ ...base, kind: 'stop', closing: { ...closing, actorId: 'ann' } }, row)).to.deep.equal([
      ['incident.resolved', { reason: 'Paused.', actorId: 'ann' }],
    ]);
  });
  it('keep the order of a person’s changes and name the person', () => {
    const events = alertsOfChange({ workspaceId: 'w', monitorKey: 3, incidentId: 'i' }, { actorId: 'ann' }, [
      { type: 'acknowledged', atMs: 1, detail: {} },
      { type: 'closed', atMs: 1, detail: { automatic: false } },
    ]);
    expect(events.map(({ type, detail }) => [type, detail.actorId])).to.deep.equal([
      ['incident.acknowledged', 'ann'],
      ['incident.resolved', 'ann'],
    ]);
  });
});
