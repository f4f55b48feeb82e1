import { expect } from 'chai';
import fc from 'fast-check';
import { Fault } from '@watchpost/shared/fault';
import { decideIncidentChange } from './decide-incident-change.js';
import { INCIDENT_STATUSES } from './incident-commands.js';
import type { IncidentRow } from './incident-store.js';

const started = new Date('2026-11-21T12:00:00.000Z');
const now = Date.parse('2026-11-21T12:30:00.000Z');
const open: IncidentRow = {
  id: '019aa000-0000-7000-8000-000000000001',
  workspaceId: '019aa000-0000-7000-8000-000000000002',
  monitorId: '019aa000-0000-7000-8000-000000000003',
  monitorName: 'shop',
  incidentType: 'Availability',
  status: 'Ongoing',
  isClosed: false,
  severity: 'down',
  worstSeverity: 'down',
  regions: ['northeurope'],
  acknowledged: false,
  acknowledgedAt: null,
  acknowledgedBy: null,
  closedBy: null,
  started,
  ended: null,
  failureReason: 'The server refused the connection.',
  dependentCount: 0,
  context: {},
  created: started,
  lastModified: started,
};

describe('what a person does to an incident', () => {
  it('acknowledging records who and when, and leaves the status', () => {
    const { row, events } = decideIncidentChange(open, { acknowledged: true }, 'ada', now);
    expect(row).to.include({ acknowledged: true, acknowledgedBy: 'ada', status: 'Ongoing', isClosed: false });
    expect(row.acknowledgedAt?.getTime()).to.equal(now);
    expect(events.map((event) => event.type)).to.deep.equal(['acknowledged']);
  });

  it('taking an acknowledgement back clears person and time', () => {
    const acknowledged = decideIncidentChange(open, { acknowledged: true }, 'ada', now).row;
    const { row, events } = decideIncidentChange(acknowledged, { acknowledged: false }, 'bob', now + 1);
    expect(row).to.include({ acknowledged: false, acknowledgedBy: null, acknowledgedAt: null });
    expect(events.map((event) => event.type)).to.deep.equal(['unacknowledged']);
  });

  it('acknowledging twice keeps the first one', () => {
    const acknowledged = decideIncidentChange(open, { acknowledged: true }, 'ada', now).row;
    const again = decideIncidentChange(acknowledged, { acknowledged: true }, 'bob', now + 1);
    expect(again.events).to.deep.equal([]);
    expect(again.row.acknowledgedBy).to.equal('ada');
  });

  it('resolving closes it for good, records the person, and sets its end where it has none', () => {
    const { row } = decideIncidentChange(open, { status: 'Resolved' }, 'ada', now);
    expect(row).to.include({ status: 'Resolved', isClosed: true, closedBy: 'ada' });
    expect(row.ended?.getTime()).to.equal(now);
    const recovered = { ...open, ended: new Date(now - 60_000) };
    expect(decideIncidentChange(recovered, { status: 'Resolved' }, 'ada', now).row.ended).to.deep.equal(
      recovered.ended,
    );
  });

  it('a closed incident refuses everything; an open one never loses its past', () => {
    const patches = fc.record(
      { acknowledged: fc.boolean(), status: fc.constantFrom(...INCIDENT_STATUSES) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 8 }), (changes) => {
        let row = open;
        for (const [index, patch] of changes.entries()) {
          if (row.isClosed) {
            expect(() => decideIncidentChange(row, patch, 'ada', now + index))
              .to.throw(Fault)
              .with.property('code', 'incident_closed');
            continue;
          }
          row = decideIncidentChange(row, patch, 'ada', now + index).row;
          expect(row.isClosed).to.equal(row.status === 'Resolved');
          expect(row.acknowledged).to.equal(row.acknowledgedBy !== null);
          expect(row.started).to.equal(open.started);
          expect(row.ended === null).to.equal(!row.isClosed);
        }
      }),
    );
  });
});
