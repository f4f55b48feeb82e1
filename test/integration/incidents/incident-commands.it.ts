import { expect } from 'chai';
import { ManualClock } from '@watchpost/shared/clock';
import type { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import {
  applyIncidentCommands,
  closeIncidentsOfMonitors,
  currentIncidents,
  getIncident,
  type IncidentCommand,
} from '@watchpost/control-plane/capabilities/incidents/index';
import { addNote } from '@watchpost/control-plane/capabilities/incidents/incident-notes';
import { listIncidents } from '@watchpost/control-plane/capabilities/incidents/read-incidents';
import { updateIncident } from '@watchpost/control-plane/capabilities/incidents/update-incident';
import { databaseForSuite } from '../../support/suite.js';
import { TEST_VIA } from '../../support/via.js';

const start = Date.parse('2026-11-21T12:00:00.000Z');

describe('incidents in the database', () => {
  const test = databaseForSuite();
  let clock: ManualClock;
  let actor: Actor;
  let stranger: Actor;
  const deps = () => ({ db: test.database, clock });

  beforeEach(async () => {
    clock = new ManualClock(start);
    actor = await makeActor();
    stranger = await makeActor();
  });

  async function makeActor(): Promise<Actor> {
    const userId = newId(start);
    const workspaceId = newId(start);
    await test.database.read(async (tx) => {
      await tx.query(
        'INSERT INTO user_account (id, issuer, subject, created, last_modified) VALUES ($1::uuid, $2, $1::uuid::text, now(), now())',
        [userId, 'https://issuer.example'],
      );
      await tx.query(
        'INSERT INTO workspace (id, name, owner_id, created, last_modified) VALUES ($1, $2, $3, now(), now())',
        [workspaceId, 'w', userId],
      );
    });
    return {
      caller: {
        userId,
        credential: { type: 'token', issuer: 'https://issuer.example', subject: userId, clientId: null },
        scopes: new Set(),
      },
      workspace: { workspaceId, memberId: userId, role: 'Responder', ownerId: userId },
      via: TEST_VIA,
    };
  }

  const opening = (monitorKey: number, extra: object = {}): IncidentCommand => ({
    kind: 'open',
    workspaceId: actor.workspace.workspaceId,
    monitorKey,
    monitorId: newId(start),
    monitorName: 'shop',
    incidentType: 'Availability',
    severity: 'down',
    regions: ['northeurope'],
    failureReason: 'The server refused the connection.',
    context: { failingSince: null },
    atMs: start,
    events: [{ type: 'region_failed', atMs: start, detail: { region: 'northeurope' } }],
    openedDetail: {},
    ...extra,
  });
  const apply = (...commands: IncidentCommand[]) =>
    test.database.transaction((tx) => applyIncidentCommands(deps(), tx, commands));
  async function openOne(monitorKey: number): Promise<string> {
    const [opened] = await apply(opening(monitorKey));
    return opened!.incidentId;
  }

  it('opens with evidence and a timeline', async () => {
    const id = await openOne(1);
    const incident = await getIncident(deps(), actor, id);
    expect(incident).to.deep.include({
      status: 'Ongoing',
      isClosed: false,
      ended: null,
      context: { failingSince: null },
    });
    expect(incident.timeline.map((event) => event.type)).to.deep.equal(['opened', 'region_failed']);
  });

  it('never has two open of one monitor and type, however many open at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => apply(opening(2))));
    expect(answers.flat()).to.have.length(1);
    expect((await listIncidents(deps(), actor, {}, { limit: 50, offset: 0 })).total).to.equal(1);
  });

  it('opens many in one go, each with its own events', async () => {
    const opened = await apply(...Array.from({ length: 100 }, (_, index) => opening(1000 + index)));
    expect(new Set(opened.map((incident) => incident.monitorKey)).size).to.equal(100);
    const one = await getIncident(deps(), actor, opened[42]!.incidentId);
    expect(one.timeline).to.have.length(2);
  });

  it('recovery ends and closes it, by nobody', async () => {
    const id = await openOne(3);
    const { workspaceId } = actor.workspace;
    await apply({ kind: 'recover', workspaceId, incidentId: id, autoClose: true, atMs: start + 60_000, events: [] });
    const incident = await getIncident(deps(), actor, id);
    expect(incident).to.include({ status: 'Resolved', isClosed: true, closedBy: null, durationFormatted: '1 min' });
    expect(incident.ended).to.equal('2026-11-21T12:01:00.000Z');
    expect(incident.timeline.map((event) => event.type)).to.deep.equal([
      'opened',
      'region_failed',
      'recovered',
      'closed',
    ]);
  });

  it('without automatic closing it waits for a person, and a relapse goes into the same one', async () => {
    const id = await openOne(4);
    const { workspaceId } = actor.workspace;
    await apply({ kind: 'recover', workspaceId, incidentId: id, autoClose: false, atMs: start + 60_000, events: [] });
    expect(await getIncident(deps(), actor, id)).to.include({
      status: 'Investigating',
      isClosed: false,
      ended: '2026-11-21T12:01:00.000Z',
    });
    await apply({
      kind: 'relapse',
      workspaceId,
      incidentId: id,
      regions: ['northeurope'],
      severity: 'down',
      atMs: start + 90_000,
      events: [],
    });
    expect(await getIncident(deps(), actor, id)).to.include({ status: 'Ongoing', isClosed: false, ended: null });
  });

  it('keeps the worst severity, and has each change of it on the timeline', async () => {
    const id = await openOne(14);
    const { workspaceId } = actor.workspace;
    const change = (minute: number, kind: 'update' | 'relapse', severity: 'down' | 'partial') =>
      apply({
        kind,
        workspaceId,
        incidentId: id,
        regions: ['northeurope'],
        severity,
        atMs: start + minute * 60_000,
        events: [],
      });
    await change(1, 'update', 'partial');
    expect(await getIncident(deps(), actor, id)).to.include({ severity: 'partial', worstSeverity: 'down' });
    await change(2, 'update', 'partial');
    await apply({ kind: 'recover', workspaceId, incidentId: id, autoClose: false, atMs: start + 180_000, events: [] });
    await change(4, 'relapse', 'down');
    expect(await getIncident(deps(), actor, id)).to.include({ severity: 'down', worstSeverity: 'down' });
    await change(5, 'update', 'partial');
    await apply({ kind: 'recover', workspaceId, incidentId: id, autoClose: true, atMs: start + 360_000, events: [] });
    const incident = await getIncident(deps(), actor, id);
    expect(incident).to.include({ isClosed: true, severity: 'partial', worstSeverity: 'down' });
    expect(
      incident.timeline.filter(({ type }) => type === 'severity_changed').map(({ actor: _, ...event }) => event),
    ).to.deep.equal([
      { at: '2026-11-21T12:01:00.000Z', type: 'severity_changed', detail: { from: 'down', to: 'partial' } },
      { at: '2026-11-21T12:04:00.000Z', type: 'severity_changed', detail: { from: 'partial', to: 'down' } },
      { at: '2026-11-21T12:05:00.000Z', type: 'severity_changed', detail: { from: 'down', to: 'partial' } },
    ]);
  });

  it('keeps that it became worse than at its opening', async () => {
    const [opened] = await apply(opening(15, { severity: 'partial' }));
    const { workspaceId } = actor.workspace;
    const change = (severity: 'down' | 'partial') =>
      apply({
        kind: 'update',
        workspaceId,
        incidentId: opened!.incidentId,
        regions: ['northeurope'],
        severity,
        atMs: start + 1,
        events: [],
      });
    expect(await getIncident(deps(), actor, opened!.incidentId)).to.include({ worstSeverity: 'partial' });
    await change('down');
    await change('partial');
    expect(await getIncident(deps(), actor, opened!.incidentId)).to.include({
      severity: 'partial',
      worstSeverity: 'down',
    });
  });

  it('leaves a closed incident alone, whatever the verdict wants', async () => {
    const id = await openOne(5);
    const { workspaceId } = actor.workspace;
    await updateIncident(deps(), actor, id, { status: 'Resolved' });
    const before = await getIncident(deps(), actor, id);
    await apply(
      {
        kind: 'update',
        workspaceId,
        incidentId: id,
        regions: ['eastus2'],
        severity: 'partial',
        atMs: start + 1,
        events: [],
      },
      { kind: 'recover', workspaceId, incidentId: id, autoClose: true, atMs: start + 2, events: [] },
    );
    expect(await getIncident(deps(), actor, id)).to.deep.equal(before);
  });

  it('closes what is open when its monitor is paused', async () => {
    const id = await openOne(6);
    await test.database.transaction((tx) =>
      closeIncidentsOfMonitors(
        deps(),
        tx,
        { workspaceId: actor.workspace.workspaceId, monitorKeys: [6] },
        { ending: 'disabled', author: 'system' },
      ),
    );
    const incident = await getIncident(deps(), actor, id);
    expect(incident).to.include({ isClosed: true, status: 'Resolved', closedBy: null });
    expect(incident.timeline.at(-1)).to.deep.include({
      type: 'closed',
      detail: { automatic: true, reason: 'The monitor was disabled.' },
    });
  });

  it('are read by the verdict: the newest of each monitor and type, with the person who closed it', async () => {
    const first = await openOne(7);
    await updateIncident(deps(), actor, first, { status: 'Resolved' });
    const [second] = await apply(opening(7, { atMs: start + 5_000 }));
    const current = await test.database.read((tx) => currentIncidents(tx, [7, 8]));
    expect(current).to.deep.equal([
      {
        id: second!.incidentId,
        monitorKey: 7,
        incidentType: 'Availability',
        isClosed: false,
        closedBy: null,
        startedMs: start + 5_000,
        endedMs: null,
      },
    ]);
  });

  it('of two who close at once, one is refused', async () => {
    const id = await openOne(9);
    const answers = await Promise.allSettled(
      [1, 2].map(() => updateIncident(deps(), actor, id, { status: 'Resolved' })),
    );
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const refused = answers.find((answer) => answer.status === 'rejected')!;
    expect((refused.reason as Fault).code).to.equal('incident_closed');
  });

  it('is not there for another workspace', async () => {
    const id = await openOne(10);
    for (const attempt of [
      () => getIncident(deps(), stranger, id),
      () => updateIncident(deps(), stranger, id, { acknowledged: true }),
      () => addNote(deps(), stranger, id, 'hello'),
    ]) {
      const error = await attempt().then(
        () => null,
        (fault: Fault) => fault,
      );
      expect(error?.code).to.equal('not_found');
    }
    expect((await listIncidents(deps(), stranger, {}, { limit: 50, offset: 0 })).total).to.equal(0);
  });

  it('takes notes while it is open and none after', async () => {
    const id = await openOne(11);
    await addNote(deps(), actor, id, 'looking');
    expect((await getIncident(deps(), actor, id)).notes.map((note) => note.note)).to.deep.equal(['looking']);
    await updateIncident(deps(), actor, id, { status: 'Resolved' });
    const error = await addNote(deps(), actor, id, 'too late').then(
      () => null,
      (fault: Fault) => fault,
    );
    expect(error?.code).to.equal('incident_closed');
  });

  it('has the same list in pages of any size, newest first, and nothing after its end', async () => {
    await apply(
      ...Array.from({ length: 11 }, (_, index) => opening(300 + index, { atMs: start + (index % 4) * 1_000 })),
    );
    const page = async (limit: number, offset: number) =>
      (await listIncidents(deps(), actor, {}, { limit, offset })).items.map((incident) => incident.id);
    const all = await page(50, 0);
    expect(new Set(all).size).to.equal(11);
    for (const limit of [1, 2, 3, 4, 5, 10, 11]) {
      const pages = [];
      for (let offset = 0; offset < 11; offset += limit) pages.push(...(await page(limit, offset)));
      expect(pages).to.deep.equal(all);
    }
    expect(await page(5, 11)).to.deep.equal([]);
    expect(await page(5, 500)).to.deep.equal([]);
  });

  it('lists by what is asked for', async () => {
    const first = await openOne(12);
    await updateIncident(deps(), actor, first, { status: 'Resolved' });
    await apply(opening(13, { atMs: start + 3_600_000 }));
    const list = async (filter: object) => (await listIncidents(deps(), actor, filter, { limit: 1, offset: 0 })).total;
    expect(await list({})).to.equal(2);
    expect(await list({ isClosed: true })).to.equal(1);
    expect(await list({ status: 'Ongoing' })).to.equal(1);
    expect(await list({ incidentType: 'Dns' })).to.equal(0);
    expect(await list({ fromMs: start + 1 })).to.equal(1);
    expect(await list({ toMs: start })).to.equal(0);
  });
});
