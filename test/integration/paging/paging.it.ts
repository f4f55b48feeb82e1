import { expect } from 'chai';
import pino, { type Logger } from 'pino';
import { MINUTE_MS } from '@watchpost/shared/time';
import { applyIncidentCommands } from '@watchpost/control-plane/capabilities/incidents/index';
import type { TestMember } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { NOON } from '../results/seed.js';

interface Paged {
  channel: string;
  address: string;
  purpose: string;
  state: string;
  type: string;
  extra: { acknowledgeUrl?: string; why?: string };
}

describe('Paging', () => {
  const app = appForSuite({
    env: { TWILIO_ACCOUNT_SID: 'AC0', TWILIO_AUTH_TOKEN: 'none', TWILIO_FROM: '+15005550006' },
  });
  let world: World;
  let ann: TestMember;
  let lea: TestMember;
  let monitorId: string;
  let key: number;
  let teamId: string;
  let serviceGroupId: string;

  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    [ann, lea] = [await world.member('Responder'), await world.member('Admin')];
    serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;
    monitorId = (await seedMonitor(world, { serviceGroupId })).id;
    key = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId]))[0]!.key;
    teamId = (await create(world.api, '/api/v1/teams', { name: 'Web' })).id;
    for (const [{ userId }, teamRole] of [
      [ann, 'member'],
      [lea, 'lead'],
    ] as const)
      await create(world.api, `/api/v1/teams/${teamId}/members`, { userId, teamRole });
    await create(
      world.api,
      `/api/v1/teams/${teamId}/schedule`,
      { rotation: 'daily', timezone: 'UTC', handoffTime: '09:00', startDate: '2026-11-01', participants: [ann.userId] },
      'PUT',
    );
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
  });

  async function open(): Promise<string> {
    const [opened] = await app.db.transaction((tx) =>
      applyIncidentCommands({ clock: app.clock }, tx, [
        {
          kind: 'open',
          workspaceId: world.workspaceId,
          monitorKey: key,
          monitorId,
          monitorName: 'Shop',
          incidentType: 'Availability',
          severity: 'down',
          regions: ['northeurope'],
          failureReason: 'The server answered with status 503.',
          context: {},
          atMs: app.clock.now(),
          events: [],
          openedDetail: {},
        },
      ]),
    );
    return opened!.incidentId;
  }
  const recover = (incidentId: string, autoClose: boolean, deps: { logger?: Logger } = {}) =>
    app.db.transaction((tx) =>
      applyIncidentCommands({ clock: app.clock, ...deps }, tx, [
        { kind: 'recover', workspaceId: world.workspaceId, incidentId, autoClose, atMs: app.clock.now(), events: [] },
      ]),
    );
  const work = async () => app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
  const pages = (incidentId: string) =>
    app.sql<Paged>(
      `SELECT d.channel, d.address, d.purpose, d.state, e.type, d.extra FROM delivery d JOIN alert_event e ON e.id = d.event_id
       WHERE e.incident_id = $1 AND d.purpose <> 'group' ORDER BY d.seq`,
      [incidentId],
    );
  const timeline = async (incidentId: string, type: string) => {
    const { body } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    return body.timeline.filter((event: { type: string }) => event.type === type);
  };
  const prefer = (member: TestMember, notificationPreferences: object) =>
    create(member.api, `/api/v1/workspaces/${world.workspaceId}/members/me`, { notificationPreferences }, 'PATCH');

  it('reaches the team that a monitor names, and that of its service group where it joins one', async () => {
    const heartbeat = await create(world.api, '/api/v1/monitor', {
      name: 'Backup',
      monitorTypes: ['Heartbeat'],
      heartbeat: { every: 'PT1H' },
      teamId,
    });
    expect(heartbeat.teamId).to.equal(teamId);
    const at = (path: string) => world.api('GET', path).then(({ body }) => body);
    const { willAnyoneBePaged, teams, reasons } = await at(`/api/v1/monitor/${heartbeat.id}/alert-preview`);
    expect({ willAnyoneBePaged, teams }, String(reasons)).to.deep.include({ willAnyoneBePaged: true });
    expect(teams[0]).to.include({ teamId, serviceGroupName: null });
    expect(await at(`/api/v1/alert-preview?teamId=${teamId}`)).to.include({ willAnyoneBePaged: true });
    expect((await at('/api/v1/alert-coverage')).map(({ name }: { name: string }) => name)).to.deep.equal([]);

    const other = (await create(world.api, '/api/v1/teams', { name: 'Other' })).id;
    const change = (body: object) => world.api('PUT', `/api/v1/monitor/${monitorId}`, body);
    expect((await change({ teamId: other })).body.teamId).to.equal(other);
    const pagedTeams = async () => {
      const incident = await open();
      const rows = await app.sql<{ team: string }>(
        'SELECT team_id AS team FROM incident_paging WHERE incident_id = $1',
        [incident],
      );
      await recover(incident, true);
      return rows.map(({ team }) => team);
    };
    expect(await pagedTeams(), 'the routing of the group wins').to.deep.equal([teamId]);
    await change({ serviceGroupId: null });
    expect(await pagedTeams()).to.deep.equal([other]);
    await change({ teamId });
    const incident = await open();
    await work();
    expect((await pages(incident)).map(({ purpose }) => purpose)).to.deep.equal([`page:0:${ann.userId}`]);
    await recover(incident, true);
    expect((await world.api('DELETE', `/api/v1/teams/${teamId}`)).status).to.equal(204);
    expect((await at(`/api/v1/monitor/${monitorId}`)).teamId).to.equal(null);
    expect(await pagedTeams()).to.deep.equal([]);
  });

  it('takes no team of another workspace for a monitor, and names all faults together', async () => {
    const stranger = await makeWorld(app, 'Pro');
    const theirs = (await create(stranger.api, '/api/v1/teams', { name: 'Theirs' })).id;
    const faults = (body: { details?: { path: string }[] }) => body.details?.map(({ path }) => path);
    const wrong = { teamId: theirs, dependsOn: [theirs] };
    const changed = await world.api('PUT', `/api/v1/monitor/${monitorId}`, wrong);
    expect([changed.status, faults(changed.body)], JSON.stringify(changed.body)).to.deep.equal([
      400,
      ['dependsOn.0', 'teamId'],
    ]);
    const made = await world.api('POST', '/api/v1/monitor', { url: 'https://new.example', ...wrong });
    expect([made.status, faults(made.body)]).to.deep.equal([400, ['dependsOn.0', 'teamId']]);
    expect((await world.api('GET', `/api/v1/alert-preview?teamId=${theirs}`)).status).to.equal(404);
  });

  it('reaches the person on call at once and after ten minutes, and the leads after twenty', async () => {
    const incident = await open();
    await work();
    expect((await pages(incident)).map(({ address, purpose }) => [address, purpose])).to.deep.equal([
      [ann.email, `page:0:${ann.userId}`],
    ]);
    app.clock.advance(10 * MINUTE_MS - 1_000);
    await work();
    expect(await pages(incident)).to.have.length(1);
    app.clock.advance(1_000);
    await Promise.all([work(), work(), work()]);
    app.clock.advance(10 * MINUTE_MS);
    await work();
    expect((await pages(incident)).map(({ address }) => address)).to.deep.equal([ann.email, ann.email, lea.email]);
    app.clock.advance(60 * MINUTE_MS);
    await work();
    expect(await pages(incident)).to.have.length(3);
    const paged = await timeline(incident, 'paged');
    expect(
      paged.map(({ detail }: { detail: { who: string; people: { userId: string }[] } }) => [
        detail.who,
        detail.people[0]!.userId,
      ]),
    ).to.deep.equal([
      ['onCall', ann.userId],
      ['onCall', ann.userId],
      ['leads', lea.userId],
    ]);
  });

  it('takes a step although another one fails', async () => {
    const stuck = await open();
    await app.sql(`CREATE FUNCTION refuse_page() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.incident_id = '${stuck}' THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$`);
    await app.sql(
      'CREATE TRIGGER refuse_page BEFORE INSERT ON alert_event FOR EACH ROW EXECUTE FUNCTION refuse_page()',
    );
    try {
      app.clock.advance(1_000);
      monitorId = (await seedMonitor(world)).id;
      const group = await create(world.api, '/api/v1/service-group', { name: 'Blog' });
      await create(world.api, `/api/v1/monitor/${monitorId}`, { serviceGroupId: group.id }, 'PUT');
      await create(world.api, `/api/v1/teams/${teamId}/service-groups/${group.id}`, undefined, 'PUT');
      key = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId]))[0]!.key;
      const fine = await open();
      expect(await work().then(String, String), 'and the error is reported').to.include('refused');
      expect((await pages(fine)).map(({ address }) => address)).to.deep.equal([ann.email]);
    } finally {
      await app.sql('DROP TRIGGER refuse_page ON alert_event; DROP FUNCTION refuse_page()');
    }
    await work();
    expect((await pages(stuck)).map(({ address }) => address)).to.deep.equal([ann.email]);
  });

  it('uses email and SMS as each person prefers, and ignores quiet hours', async () => {
    await prefer(ann, {
      sms: true,
      phoneNumber: '+353871234567',
      quietHours: { start: '00:00', end: '23:59', timezone: 'UTC' },
    });
    const incident = await open();
    await work();
    expect((await pages(incident)).map(({ channel, address }) => [channel, address])).to.deep.equal([
      ['email', ann.email],
      ['sms', '+353871234567'],
    ]);
    await prefer(ann, { sms: null, phoneNumber: null, quietHours: null });
  });

  it('stops on acknowledgement, and begins again when it is taken back', async () => {
    const incident = await open();
    await work();
    await create(ann.api, `/api/v1/incident/${incident}`, { acknowledged: true }, 'PATCH');
    expect(
      (await pages(incident)).map(({ state }) => state),
      'what had not gone out yet does not',
    ).to.deep.equal(['cancelled']);
    app.clock.advance(30 * MINUTE_MS);
    await work();
    expect(await pages(incident)).to.have.length(1);
    await create(ann.api, `/api/v1/incident/${incident}`, { acknowledged: false }, 'PATCH');
    await work();
    expect((await pages(incident)).map(({ purpose }) => purpose)).to.deep.equal([
      `page:0:${ann.userId}`,
      `page:0:${ann.userId}`,
    ]);
  });

  it('stops when the monitor recovers, and notifies the people who were paged', async () => {
    for (const autoClose of [true, false]) {
      const incident = await open();
      await work();
      await app.sql(
        `UPDATE delivery SET state = 'delivered', next_attempt_at = NULL FROM alert_event e WHERE e.id = event_id AND e.incident_id = $1`,
        [incident],
      );
      await recover(incident, autoClose);
      app.clock.advance(30 * MINUTE_MS);
      await work();
      const [page, over, ...more] = await pages(incident);
      expect([page!.address, over!.address, over!.purpose, more]).to.deep.equal([ann.email, ann.email, 'paged', []]);
      expect(over!.type).to.equal(autoClose ? 'incident.resolved' : 'incident.updated');
      if (!autoClose) await create(ann.api, `/api/v1/incident/${incident}`, { status: 'Resolved' }, 'PATCH');
    }
  });

  it('notifies a person whose quiet hours cannot be read, and does not fail for others', async () => {
    const incident = await open();
    await work();
    await app.sql(
      `UPDATE delivery SET state = 'delivered', next_attempt_at = NULL FROM alert_event e WHERE e.id = event_id AND e.incident_id = $1`,
      [incident],
    );
    const quietHours = { start: '00:00', end: '23:59', timezone: 'UTC' };
    await prefer(ann, { quietHours });
    await app.sql(
      `UPDATE workspace_member SET notification_preferences = notification_preferences || $2 WHERE user_id = $1`,
      [ann.userId, { quietHours: { ...quietHours, timezone: 'IST' } }],
    );
    const warnings: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    await recover(incident, true, { logger });
    expect(warnings.join()).to.include('quiet hours').and.to.include(ann.userId);
    expect((await pages(incident)).map(({ address, purpose }) => [address, purpose])).to.deep.equal([
      [ann.email, `page:0:${ann.userId}`],
      [ann.email, 'paged'],
    ]);
    await prefer(ann, { quietHours: null });
  });

  it('reaches the leads at once when nobody on call can be reached, and reports that on the timeline', async () => {
    await prefer(ann, { email: false });
    const incident = await open();
    await work();
    await work();
    expect((await pages(incident)).map(({ address }) => address)).to.deep.equal([lea.email]);
    expect((await timeline(incident, 'notification_failed'))[0].detail.reason).to.include(
      'have no channel by which they can be reached',
    );
    await prefer(ann, { email: null });
  });

  it('reports on the timeline that there is nobody to page', async () => {
    expect((await world.api('DELETE', `/api/v1/teams/${teamId}/schedule`)).status).to.equal(204);
    await create(
      world.api,
      `/api/v1/teams/${teamId}/schedule`,
      { rotation: 'daily', timezone: 'UTC', handoffTime: '09:00', startDate: '2027-01-01', participants: [ann.userId] },
      'PUT',
    );
    await create(world.api, `/api/v1/teams/${teamId}/members/${lea.userId}`, { teamRole: 'member' }, 'PATCH');
    const incident = await open();
    await work();
    await work();
    expect(await pages(incident)).to.deep.equal([]);
    expect(
      (await timeline(incident, 'notification_failed')).map(
        ({ detail }: { detail: { reason: string } }) => detail.reason,
      ),
    ).to.deep.equal(['Nobody of Web is on call at this moment.', 'Web has no lead who could be paged.']);
  });

  it('pages nobody for a monitor whose group is routed to no team', async () => {
    await world.api('DELETE', `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`);
    const incident = await open();
    await work();
    expect(await pages(incident)).to.deep.equal([]);
  });

  describe('by a link', () => {
    async function link(): Promise<{ incident: string; path: string }> {
      const incident = await open();
      await work();
      const [page] = await pages(incident);
      const url = new URL(page!.extra.acknowledgeUrl!);
      expect(url.origin).to.equal(app.baseUrl);
      return { incident, path: url.pathname };
    }
    const incidentOf = async (id: string) => (await world.api('GET', `/api/v1/incident/${id}`)).body;

    it('is acknowledged once, by the button and not by opening the link', async () => {
      const { incident, path } = await link();
      for (let time = 0; time < 3; time++) expect((await app.anonymous('GET', path)).body.acknowledged).to.equal(false);
      expect((await incidentOf(incident)).acknowledged).to.equal(false);
      const page = await (await fetch(app.baseUrl + path, { headers: { accept: 'text/html' } })).text();
      expect(page).to.include(`<form method="post" action="${path}">`).and.include('status 503');
      expect((await app.anonymous('POST', path)).body).to.deep.include({ acknowledged: true });
      expect(await incidentOf(incident)).to.deep.include({ acknowledged: true, acknowledgedBy: ann.userId });
      expect((await timeline(incident, 'acknowledged'))[0].detail).to.deep.equal({ via: 'page' });
      expect((await app.anonymous('POST', path)).status).to.equal(404);
    });

    it('is acknowledged within twelve hours, not after the role was lost, and not with an invalid token', async () => {
      const { incident, path } = await link();
      await app.sql(`UPDATE workspace_member SET role = 'Viewer' WHERE workspace_id = $1 AND user_id = $2`, [
        world.workspaceId,
        ann.userId,
      ]);
      expect((await app.anonymous('POST', path)).status).to.equal(403);
      await app.sql(`UPDATE workspace_member SET role = 'Responder' WHERE workspace_id = $1 AND user_id = $2`, [
        world.workspaceId,
        ann.userId,
      ]);
      app.clock.advance(12 * 60 * MINUTE_MS);
      expect((await app.anonymous('POST', path)).status).to.equal(404);
      for (const token of ['x', 'A'.repeat(22), 'A'.repeat(500)])
        expect((await app.anonymous('POST', `/ack/${token}`)).status).to.equal(404);
      expect((await incidentOf(incident)).acknowledged).to.equal(false);
    });

    it('reports that the incident is closed', async () => {
      const { incident, path } = await link();
      await recover(incident, true);
      expect((await app.anonymous('GET', path)).body).to.deep.include({ isClosed: true });
      expect((await app.anonymous('POST', path)).body.error).to.equal('incident_closed');
    });
  });

  describe('can be previewed, which', () => {
    const preview = async () => {
      const answer = await world.api('GET', `/api/v1/monitor/${monitorId}/alert-preview`);
      expect(answer.status).to.equal(200);
      return answer.body;
    };

    it('shows who would be notified, by which channel and in which order', async () => {
      const { id } = await create(world.api, '/api/v1/action-groups/email', {
        name: 'Ops',
        recipients: ['ops@example.com'],
      });
      await world.api('POST', `/api/v1/action-groups/${id}/monitors/${monitorId}`);
      const shown = await preview();
      expect(shown).to.deep.include({ willAnyoneHear: true, willAnyoneBePaged: true, reasons: [] });
      expect(shown.groups).to.deep.equal([
        { id, name: 'Ops', type: 'email', destinations: ['ops@example.com'], hears: true, why: null },
      ]);
      expect(
        shown.teams[0].steps.map(
          ({ afterMinutes, who, people }: { afterMinutes: number; who: string; people: { userId: string }[] }) => [
            afterMinutes,
            who,
            people.map(({ userId }) => userId),
          ],
        ),
      ).to.deep.equal([
        [0, 'onCall', [ann.userId]],
        [10, 'onCall', [ann.userId]],
        [20, 'leads', [lea.userId]],
      ]);
    });

    it('hides the phone numbers of others from everybody but Admins', async () => {
      await prefer(ann, { sms: true, phoneNumber: '+353871234567' });
      const numbersFor = async ({ api }: Pick<TestMember, 'api'>) => {
        const { body } = await api('GET', `/api/v1/monitor/${monitorId}/alert-preview`);
        return JSON.stringify(body).match(/\+35[^"]*/g);
      };
      expect(await numbersFor(ann)).to.deep.equal(['+353871234567', '+353871234567']);
      expect(await numbersFor(lea)).to.deep.equal(['+353871234567', '+353871234567']);
      expect(await numbersFor(await world.member('Viewer'))).to.deep.equal(['+35***67', '+35***67']);
    });

    it('shows why nobody would be notified', async () => {
      await world.api('DELETE', `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`);
      expect(await preview()).to.deep.include({
        willAnyoneHear: false,
        willAnyoneBePaged: false,
        reasons: [
          'No channel is attached to the monitor. Attach one.',
          'The service group of the monitor is routed to no team. Route it to one.',
        ],
      });
      await create(
        world.api,
        `/api/v1/monitor/${monitorId}`,
        { serviceGroupId: null, monitoringStatus: 'paused' },
        'PUT',
      );
      const { reasons } = await preview();
      expect(reasons[0]).to.include('paused or disabled');
      expect(reasons).to.include('The monitor is in no service group and has no team, so no team is paged for it.');
    });
  });
});
