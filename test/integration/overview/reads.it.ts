import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { create, makeWorld, seedHeartbeat, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { agentIn, DOWN, resultOf, resultsDeps, UP } from '../results/seed.js';

describe('What the screens of the console read', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  const get = async (path: string, api = world.api) => {
    const answer = await api('GET', path);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer;
  };
  const keyOf = async (id: string) => await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
  /** A monitor of two regions, with ten minutes of results: the second one fails from the sixth minute on. */
  const checkedMonitor = async () => {
    const { id } = await seedMonitor(world, { enabledRegions: ['eastus2'] });
    const [key, startMs] = [await keyOf(id), app.clock.now()];
    app.clock.advance(10 * MINUTE_MS);
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    for (const [region, fails] of [
      ['northeurope', false],
      ['eastus2', true],
    ] as const) {
      const results = Array.from({ length: 10 }, (_, minute) =>
        resultOf(key, startMs + minute * MINUTE_MS, fails && minute >= 5 ? DOWN : UP),
      );
      await ingestBatch(deps, agentIn(region), results);
    }
    return { id, startMs };
  };

  it('lists single results, newest first, by region, outcome and time, with why they failed', async () => {
    const { id, startMs } = await checkedMonitor();
    const path = `/api/v1/monitor/${id}/results`;
    const all = await get(path);
    expect(all.headers.get('x-total-count')).to.equal('20');
    expect(all.body[0]).to.include({ kind: 'http', scheduledAt: new Date(startMs + 9 * MINUTE_MS).toISOString() });
    const failed = (await get(`${path}?outcome=down&region=EASTUS2&pageSize=3`)).body;
    expect(failed.map(({ region }: { region: string }) => region)).to.deep.equal(['eastus2', 'eastus2', 'eastus2']);
    expect(failed[0].failure).to.include({ phase: 'connect', reason: 'connection_refused' });
    expect((await get(`${path}?outcome=down&region=northeurope`)).body).to.deep.equal([]);
    const early = `?startDate=${new Date(startMs).toISOString()}&endDate=${new Date(startMs + 2 * MINUTE_MS).toISOString()}`;
    expect((await get(`${path}${early}`)).body).to.have.length(4);
    const refused = await world.api('GET', `${path}?outcome=maybe&region=moon&page=0`);
    expect(refused.body.details).to.have.length(3);
  });

  it('shows the timeline of each region by itself', async () => {
    const { id, startMs } = await checkedMonitor();
    const range = `startDate=${new Date(startMs).toISOString()}&endDate=${new Date(startMs + 10 * MINUTE_MS).toISOString()}`;
    const { body } = await get(`/api/v1/monitor/${id}/region-timelines?${range}&steps=10`);
    expect(body.stepSeconds).to.equal(60);
    expect(body.regions).to.deep.equal([
      { region: 'northeurope', states: 'aaaaaaaaaa' },
      { region: 'eastus2', states: 'aaaaauuuuu' },
    ]);
    expect(body.states, 'all regions together').to.equal('aaaaappppp');
    const day = (await get(`/api/v1/monitor/${id}/region-timelines`)).body;
    expect(day.regions[0].states).to.match(/^-{95}a$/);
  });

  it('lists all regions with the checks that the workspace has there, and neither names nor versions of agents', async () => {
    await checkedMonitor();
    const at = new Date(app.clock.now());
    await app.sql(
      `INSERT INTO agent (id, name, region, token_hash, last_seen, created, last_modified, lag_p99_us, version)
       VALUES ($1, 'secret-name', 'northeurope', '\\x01', $2, $2, $2, 4500, '1.2.3')`,
      [newId(app.clock.now()), at],
    );
    try {
      const { body } = await get('/api/v1/regions');
      const of = (region: string) => body.find((one: { region: string }) => one.region === region);
      expect(of('northeurope')).to.include({
        state: 'healthy',
        agents: 1,
        startLagP99: 4.5,
        monitors: 1,
        checksPerMinute: 0.2,
        reportingPerMinute: 0.2,
      });
      expect(of('eastus2')).to.include({ state: 'silent', since: null, agents: 0, startLagP99: null, monitors: 1 });
      expect(of('japaneast')).to.include({ monitors: 0, checksPerMinute: 0 });
      expect(JSON.stringify(body)).not.to.include('secret-name').and.not.to.include('1.2.3');
      app.clock.advance(10 * MINUTE_MS);
      expect((await get('/api/v1/regions')).body[0]).to.include({
        state: 'silent',
        since: at.toISOString(),
        reportingPerMinute: 0,
      });
    } finally {
      await app.sql('DELETE FROM agent');
    }
  });

  describe('deliveries of a workspace', () => {
    const deliver = async (fields: {
      incidentId?: string;
      monitorKey?: number;
      state?: string;
      channel?: string;
      purpose?: string;
      groupId?: string;
      address?: string;
    }) => {
      const [eventId, id, at] = [newId(app.clock.now()), newId(app.clock.now()), new Date(app.clock.now())];
      await app.sql(
        `INSERT INTO alert_event (id, workspace_id, incident_id, monitor_key, type, at, subject, fanned_out)
         VALUES ($1, $2, $3, $4, 'incident.opened', $5, '{}', true)`,
        [eventId, world.workspaceId, fields.incidentId ?? null, fields.monitorKey ?? null, at],
      );
      await app.sql(
        `INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, state, created)
         VALUES ($1, $2, $3, $4, $5, $6, 'lane', $7, $8, $9)`,
        [
          id,
          world.workspaceId,
          eventId,
          fields.groupId ?? null,
          fields.channel ?? 'email',
          fields.address ?? 'ann@example.test',
          fields.purpose ?? 'group',
          fields.state ?? 'delivered',
          at,
        ],
      );
      app.clock.advance(1_000);
      return id;
    };
    const ids = async (query: string) =>
      (await get(`/api/v1/deliveries?${query}`)).body.map(({ id }: { id: string }) => id);

    it('are listed newest first, by each filter, and only its own', async () => {
      const monitor = await seedMonitor(world);
      const incidentId = await seedIncident(world, monitor.id);
      const group = await create(world.api, '/api/v1/action-groups/webhook', {
        name: 'Hook',
        url: 'https://hooks.example.test/x',
      });
      const first = await deliver({ incidentId, monitorKey: await keyOf(monitor.id) });
      const middleMs = app.clock.now();
      const second = await deliver({ state: 'failed' });
      const third = await deliver({ channel: 'webhook', groupId: group.id });
      const foreign = await makeWorld(app);
      expect(await ids('')).to.deep.equal([third, second, first]);
      expect(await ids('state=failed')).to.deep.equal([second]);
      expect(await ids('channel=webhook')).to.deep.equal([third]);
      expect(await ids(`incidentId=${incidentId}`)).to.deep.equal([first]);
      expect(await ids(`monitorId=${monitor.id}`)).to.deep.equal([first]);
      expect(await ids(`actionGroupId=${group.id}`)).to.deep.equal([third]);
      expect(await ids(`endDate=${new Date(middleMs).toISOString()}`)).to.deep.equal([first]);
      expect(await ids(`startDate=${new Date(middleMs).toISOString()}&state=delivered`)).to.deep.equal([third]);
      const page = await get('/api/v1/deliveries?page=2&pageSize=2');
      expect([page.headers.get('x-total-count'), page.body[0].id]).to.deep.equal(['3', first]);
      expect((await get(`/api/v1/deliveries?incidentId=${incidentId}`, foreign.api)).body).to.deep.equal([]);
      expect((await get(`/api/v1/deliveries`, foreign.api)).body).to.deep.equal([]);
      expect((await get(`/api/v1/deliveries?actionGroupId=${group.id}`)).body[0]).to.include({
        actionGroupName: 'Hook',
      });
    });

    it('show the number of a person to that person and to Admins only', async () => {
      const [viewer, responder] = [await world.member('Viewer'), await world.member('Responder')];
      await deliver({ channel: 'sms', address: '+353871234567', purpose: `page:0:${responder.userId}` });
      await deliver({ channel: 'sms', address: '+353871234567', purpose: 'paged' });
      const seen = async (api: World['api']) =>
        (await get('/api/v1/deliveries', api)).body.map(({ destination }: { destination: string }) => destination);
      expect(await seen(world.api)).to.deep.equal(['+353871234567', '+353871234567']);
      expect(await seen(viewer.api)).to.deep.equal(['+35***67', '+35***67']);
      expect(await seen(responder.api)).to.deep.equal(['+35***67', '+353871234567']);
      expect((await get('/api/v1/deliveries')).body[1]).to.include({ userId: responder.userId, actionGroupId: null });
    });
  });

  it('lists shifts and gaps of all teams so that every moment of the range is in exactly one', async () => {
    const people = [world.owner, await world.member('Responder')];
    const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    for (const { userId } of people) await create(world.api, `/api/v1/teams/${team.id}/members`, { userId });
    const startDate = new Date(app.clock.now() + 3 * DAY_MS).toISOString().slice(0, 10);
    const participants = people.map(({ userId }) => userId);
    await create(world.api, `/api/v1/teams/${team.id}/schedule`, { rotation: 'daily', startDate, participants }, 'PUT');
    const other = await create(world.api, '/api/v1/teams', { name: 'Other' });
    const [fromMs, toMs] = [app.clock.now(), app.clock.now() + 60 * DAY_MS];
    const range = `startDate=${new Date(fromMs).toISOString()}&endDate=${new Date(toMs).toISOString()}`;
    const { body } = await get(`/api/v1/on-call/shifts?${range}`);
    expect(body.map(({ teamId }: { teamId: string }) => teamId)).to.deep.equal([team.id, other.id]);
    for (const { shifts, gaps } of body) {
      const spans = [...shifts, ...gaps].toSorted((a, b) => a.start.localeCompare(b.start));
      expect([spans[0].start, spans.at(-1).end]).to.deep.equal([
        new Date(fromMs).toISOString(),
        new Date(toMs).toISOString(),
      ]);
      for (const [index, span] of spans.slice(1).entries()) expect(span.start).to.equal(spans[index].end);
    }
    const mine = (shifts: { isMine: boolean; user: { userId: string } }[]) => shifts.filter(({ isMine }) => isMine);
    expect(mine(body[0].shifts).every(({ user }) => user.userId === world.owner.userId)).to.equal(true);
    expect(mine(body[0].shifts).length).to.be.within(20, 40);
    expect((await get(`/api/v1/on-call/shifts?${range}&teamId=${other.id}`)).body).to.have.length(1);
    const foreign = await makeWorld(app);
    expect((await foreign.api('GET', `/api/v1/on-call/shifts?${range}&teamId=${other.id}`)).status).to.equal(404);
    const long = `startDate=${new Date(fromMs).toISOString()}&endDate=${new Date(fromMs + 93 * DAY_MS).toISOString()}`;
    expect((await world.api('GET', `/api/v1/on-call/shifts?${long}`)).status).to.equal(400);
  });

  it('finds things by words in any case, at most eight of each, what begins with the text first', async () => {
    for (let number = 0; number < 9; number++) await seedMonitor(world, { name: `Old checkout ${number}` });
    const { id } = await seedMonitor(world, { name: 'Checkout of the shop', url: 'https://pay.example/' });
    await app.sql(`UPDATE incident SET monitor_name = 'Checkout' WHERE id = $1`, [await seedIncident(world, id)]);
    await create(world.api, '/api/v1/action-groups/webhook', {
      name: 'Checkout crew',
      url: 'https://hooks.example.test/x',
    });
    const find = async (q: string, api = world.api) =>
      (await get(`/api/v1/search?q=${encodeURIComponent(q)}`, api)).body;
    const found = await find('  CHECKOUT ');
    expect(found.monitors).to.have.length(8);
    expect(found.monitors[0].id).to.equal(id);
    expect([found.incidents.length, found.actionGroups.length, found.people.length]).to.deep.equal([1, 1, 0]);
    expect((await find('shop pay.example')).monitors).to.have.length(1);
    expect((await find(world.owner.email)).people[0].userId).to.equal(world.owner.userId);
    for (const text of ['%', '_', '\\', "' OR 1=1 --"]) expect((await find(text)).monitors, text).to.deep.equal([]);
    const foreign = await makeWorld(app);
    expect((await find('checkout', foreign.api)).monitors).to.deep.equal([]);
    const few = await find('checkout', world.as(world.owner, { scope: 'monitor.read' }));
    expect([few.incidents.length, few.actionGroups.length]).to.deep.equal([0, 0]);
    expect(few.omitted).to.deep.equal(['incident.read', 'account.read', 'statuspage.read', 'alert.read']);
    expect((await world.api('GET', '/api/v1/search?q=%20')).status).to.equal(400);
    app.clock.advance(HOUR_MS);
  });

  it('finds heartbeats, which have no address, by their names alone', async () => {
    const { id } = await seedHeartbeat(world, { name: 'Nightly backup' });
    await seedMonitor(world, { name: 'Checkout' });
    const find = async (q: string) =>
      (await get(`/api/v1/search?q=${q}`)).body.monitors.map((one: { id: string }) => one.id);
    expect(await find('backup')).to.deep.equal([id]);
    expect(await find('checkout'))
      .to.have.length(1)
      .and.not.to.include(id);
    expect(await find('nothing')).to.deep.equal([]);
  });
});
