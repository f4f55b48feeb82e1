import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import {
  type MonitorGroup,
  type Overview,
  overviewSchema,
} from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { LatencyHistogram } from '@watchpost/control-plane/capabilities/figures/rollup/histogram';
import { countQueries } from '../../support/query-count.js';
import { create, makeWorld, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

function histogramOf(us: number, count: number): Buffer {
  const histogram = new LatencyHistogram();
  for (let index = 0; index < count; index++) histogram.add(us);
  return histogram.encode();
}

describe('The overview of a workspace', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  const overview = async (api = world.api): Promise<Overview> => {
    const { status, body } = await api('GET', '/api/v1/overview');
    expect(status, JSON.stringify(body)).to.equal(200);
    return overviewSchema.parse(body);
  };
  const keyOf = async (id: string) => await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
  /** The state of a monitor as the verdict stores it, with results of the home region that are fresh for some time. */
  const judge = async (id: string, health: string | null, freshMs = 5 * MINUTE_MS) => {
    const key = await keyOf(id);
    await app.sql(
      `INSERT INTO monitor_state (monitor_key, workspace_id, health_status, verdict_since) VALUES ($1, $2, $3, $4)
       ON CONFLICT (monitor_key) DO UPDATE SET health_status = excluded.health_status`,
      [key, world.workspaceId, health, new Date(app.clock.now())],
    );
    await app.sql(
      `UPDATE series SET conclusive_at = $2, last_started_at = $2, last_scheduled_at = $2, fresh_until = $3, last_outcome = 1
       WHERE monitor_key = $1`,
      [key, new Date(app.clock.now()), new Date(app.clock.now() + freshMs)],
    );
  };
  /** A delivery of a new event of an incident. */
  const deliver = async (
    incidentId: string,
    state: string,
    purpose: string,
    error: string | null = null,
    groupId: string | null = null,
  ) => {
    const [eventId, at] = [newId(app.clock.now()), new Date(app.clock.now())];
    await app.sql(
      `INSERT INTO alert_event (id, workspace_id, incident_id, type, at, subject, fanned_out)
       VALUES ($1, $2, $3, 'incident.opened', $4, '{}', true)`,
      [eventId, world.workspaceId, incidentId, at],
    );
    await app.sql(
      `INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, state, answer, error, created, finished_at)
       VALUES ($1, $2, $3, $4, 'email', 'ann@example.test', 'lane', $5, $6, 'The server answered 550.', $7, $8, $8)`,
      [newId(app.clock.now()), world.workspaceId, eventId, groupId, purpose, state, error, at],
    );
  };
  const kinds = ({ troubles }: Overview) => troubles.map(({ kind }) => kind);

  it('of an empty workspace has nothing in it, and no trouble that the workspace causes', async () => {
    const { counts, attention, onCall, regions, troubles, omitted } = await overview();
    expect(Object.values(counts)).to.deep.equal([0, 0, 0, 0, 0, 0, 0]);
    expect([attention, onCall, regions, omitted]).to.deep.equal([[], [], [], []]);
    expect(troubles.map(({ kind, level }) => `${kind} ${level}`)).to.deep.equal(['mail_kept_here notice']);
  });

  it('has the figures of all monitors over 24 hours, those of which nothing is known counted apart', async () => {
    const refresh = () => app.plane.jobs.find(({ name }) => name === 'refresh_days')!.run();
    expect((await overview()).lastDay).to.equal(null);
    const { id } = await seedMonitor(world);
    await seedMonitor(world);
    const startedMs = Math.floor(app.clock.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
    await app.sql(
      `INSERT INTO check_rollup (monitor_key, starts_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
         up, down, inconclusive, min_us, max_us, kind, region, spans, histogram)
       VALUES ($1, $2, 270000, 0, 0, 0, 0, 0, 3, 1, 2, 90000, 90000, 1, 1, '', $3)`,
      [await keyOf(id), new Date(startedMs), histogramOf(90_000, 3)],
    );
    await app.sql('UPDATE rollup_progress SET closed_until = $1', [new Date(startedMs + HOUR_MS)]);
    await refresh();
    const { lastDay } = await overview();
    const figures = { availability: 75, p95: 90, checks: 6 };
    expect(lastDay).to.deep.include({ ...figures, unknown: 1 });
    expect(lastDay!.hours).to.have.length(24);
    const endMs = Math.ceil(Date.parse(lastDay!.until) / HOUR_MS) * HOUR_MS;
    const at = (startedMs - endMs) / HOUR_MS;
    expect(lastDay!.hours.at(at)).to.deep.equal(figures);
    expect(lastDay!.hours.at(at - 1)).to.deep.equal({ availability: null, p95: null, checks: 0 });
    app.clock.advance(DAY_MS);
    expect((await overview()).lastDay, 'a day later').to.equal(null);
  });

  it('counts each monitor once, by the health status that the list shows', async () => {
    const states = ['available', 'available', 'degraded', 'unavailable', null] as const;
    for (const health of states) await judge((await seedMonitor(world)).id, health);
    await judge((await seedMonitor(world)).id, 'available', -MINUTE_MS);
    await seedMonitor(world, { monitoringStatus: 'paused' });
    await seedMonitor(world, { monitoringStatus: 'disabled' });
    const { counts } = await overview();
    expect(counts).to.deep.equal({
      available: 2,
      degraded: 1,
      unavailable: 1,
      unknown: 2,
      maintenance: 0,
      paused: 2,
      total: 8,
    });
    const { body } = await world.api<{ healthStatus: string | null; monitoringStatus: string }[]>(
      'GET',
      '/api/v1/monitor',
    );
    const listed = (health: string | null) =>
      body.filter((one) => one.monitoringStatus === 'enabled' && one.healthStatus === health).length;
    expect([counts.available, counts.degraded, counts.unavailable, counts.unknown]).to.deep.equal(
      ['available', 'degraded', 'unavailable', null].map(listed),
    );
  });

  it('counts what a maintenance window covers as such, whatever its health, and nothing else', async () => {
    const startsAt = new Date(app.clock.now() + HOUR_MS).toISOString().slice(0, 16);
    const window = (body: object) =>
      create(world.api, '/api/v1/maintenance-windows', {
        name: 'Deploy',
        startsAt: 'now',
        timezone: 'UTC',
        duration: 'PT1H',
        scope: { tags: ['web'] },
        ...body,
      });
    for (const health of ['available', 'unavailable', null])
      await judge((await seedMonitor(world, { tags: ['web'] })).id, health);
    await seedMonitor(world, { tags: ['web'], monitoringStatus: 'paused' });
    await judge((await seedMonitor(world)).id, 'available');
    await window({ startsAt });
    expect((await overview()).counts).to.include({ available: 2, unavailable: 1, unknown: 1, maintenance: 0 });
    const queries = await countQueries(() => overview());
    await window({});
    await window({ checks: 'pause' });
    const another = await makeWorld(app);
    await create(another.api, '/api/v1/maintenance-windows', {
      name: 'Theirs',
      startsAt: 'now',
      duration: 'PT1H',
      scope: { all: true },
    });
    expect((await overview()).counts).to.deep.equal({
      available: 1,
      degraded: 0,
      unavailable: 0,
      unknown: 0,
      maintenance: 3,
      paused: 1,
      total: 5,
    });
    expect(await countQueries(() => overview()), 'statements').to.equal(queries);
  });

  it('counts the monitors of each group, the worst first, and the list has those of each', async () => {
    const checkout = await create(world.api, '/api/v1/service-group', { name: 'Checkout' });
    const blog = await create(world.api, '/api/v1/service-group', { name: 'Blog' });
    const seed = async (health: string | null, settings: Parameters<typeof seedMonitor>[1]) => {
      const { id } = await seedMonitor(world, settings);
      await judge(id, health);
    };
    await seed('available', { tags: ['team:web', 'team:data', 'web'], serviceGroupId: blog.id });
    await seed('unavailable', { tags: ['team:data'], serviceGroupId: checkout.id });
    await seed('degraded', { tags: ['team:web'] });
    await seed('available', { tags: ['steam:web', 'team'] });
    await seed(null, { tags: ['team:web'], monitoringStatus: 'paused' });
    await seed(null, { tags: ['team:web'], monitoringStatus: 'disabled' });
    await seed('available', { tags: ['team:quiet'] });
    await create(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      startsAt: 'now',
      duration: 'PT1H',
      scope: { tags: ['team:quiet'] },
    });
    const foreign = await makeWorld(app);
    await seedMonitor(foreign, { tags: ['team:theirs'] });
    const none = { available: 0, degraded: 0, unavailable: 0, unknown: 0, maintenance: 0, paused: 0 };
    const groups = async (query: string) => {
      const { status, body, headers } = await world.api<MonitorGroup[]>('GET', `/api/v1/overview/groups${query}`);
      expect(status).to.equal(200);
      return { total: headers.get('x-total-count'), groups: body };
    };
    const listed = async (query: string) => {
      const { body } = await world.api<{ id: string }[]>('GET', `/api/v1/monitor?${query}`);
      return body.length;
    };
    const teams = await groups('?by=team');
    expect(teams.groups).to.deep.equal([
      {
        name: 'team:data',
        serviceGroupId: null,
        tag: 'team:data',
        counts: { ...none, available: 1, unavailable: 1, total: 2 },
      },
      {
        name: 'team:web',
        serviceGroupId: null,
        tag: 'team:web',
        counts: { ...none, available: 1, degraded: 1, paused: 2, total: 4 },
      },
      { name: 'team:quiet', serviceGroupId: null, tag: 'team:quiet', counts: { ...none, maintenance: 1, total: 1 } },
      { name: null, serviceGroupId: null, tag: null, counts: { ...none, available: 1, total: 1 } },
    ]);
    expect(await Promise.all(['tag=team:data', 'tag=team:web', 'without=team'].map(listed))).to.deep.equal([2, 4, 1]);
    for (const { name, tag, counts } of [
      { name: 'all', tag: null, counts: (await overview()).counts },
      ...teams.groups,
    ]) {
      const { total, ...states } = counts;
      const of = name === 'all' ? '' : tag === null ? 'without=team&' : `tag=${tag}&`;
      const found = Object.keys(states).map(async (state) => [state, await listed(`${of}state=${state}`)]);
      expect(Object.fromEntries(await Promise.all(found)), String(name)).to.deep.equal(states);
      expect(await listed(of)).to.equal(total);
    }
    const services = (await groups('')).groups;
    expect(
      services.map(({ name, serviceGroupId, tag, counts }) => [name, serviceGroupId, tag, counts.total]),
    ).to.deep.equal([
      ['Checkout', checkout.id, null, 1],
      [null, null, null, 5],
      ['Blog', blog.id, null, 1],
    ]);
    expect(await listed('without=serviceGroup')).to.equal(5);
    expect(await groups('?by=team&pageSize=1&page=2')).to.deep.equal({ total: '4', groups: [teams.groups[1]] });
    expect(await groups('?by=team&page=9')).to.deep.equal({ total: '4', groups: [] });
    const refused = await world.api('GET', '/api/v1/overview/groups?by=Team&page=0');
    expect([refused.status, refused.body.details.map(({ path }: { path: string }) => path)]).to.deep.equal([
      400,
      ['page', 'by'],
    ]);
    app.clock.advance(6 * MINUTE_MS);
    expect(
      (await groups('?by=team')).groups.map(({ counts }) => counts.available),
      'stale',
    ).to.deep.equal([0, 0, 0, 0]);
  });

  it('never shows a monitor as healthy once its results are stale, though nothing has changed in the database', async () => {
    await judge((await seedMonitor(world)).id, 'available');
    expect((await overview()).counts).to.include({ available: 1, unknown: 0 });
    app.clock.advance(6 * MINUTE_MS);
    expect((await overview()).counts).to.include({ available: 0, unknown: 1 });
  });

  it('counts a monitor by its fresh regions while another region is silent, and the list agrees', async () => {
    const ids: string[] = [];
    for (const health of ['available', 'unavailable', 'available']) {
      const { id } = await seedMonitor(world, { enabledRegions: ['eastus2'], name: `Shop ${ids.length}` });
      await judge(id, health);
      ids.push(id);
    }
    const lapse = (id: string, regions: string) =>
      keyOf(id).then((key) =>
        app.sql(`UPDATE series SET fresh_until = $2 WHERE monitor_key = $1 AND ${regions}`, [
          key,
          new Date(app.clock.now() - MINUTE_MS),
        ]),
      );
    await lapse(ids[0]!, 'region = 1');
    await lapse(ids[1]!, 'region <> 1');
    await lapse(ids[2]!, 'true');
    expect((await overview()).counts).to.include({ available: 1, unavailable: 1, unknown: 1 });
    const { body } = await world.api<{ id: string; healthStatus: string | null }[]>(
      'GET',
      '/api/v1/monitor?sort=health',
    );
    expect(body.map(({ id, healthStatus }) => [id, healthStatus])).to.deep.equal([
      [ids[1], 'unavailable'],
      [ids[2], null],
      [ids[0], 'available'],
    ]);
  });

  it('names open incidents, the worst first, with the regions that fail of those that report', async () => {
    const open = async (severity: string, acknowledged = false) => {
      const { id } = await seedMonitor(world, { enabledRegions: ['eastus2'] });
      await judge(id, 'unavailable', HOUR_MS);
      const incidentId = await seedIncident(world, id);
      await app.sql('UPDATE incident SET severity = $2 WHERE id = $1', [incidentId, severity]);
      if (acknowledged) await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
      app.clock.advance(1_000);
      return incidentId;
    };
    const [partial, known, down, warning] = [
      await open('partial'),
      await open('down', true),
      await open('down'),
      await open('warning'),
    ];
    const closed = await open('down');
    await world.api('PATCH', `/api/v1/incident/${closed}`, { status: 'Resolved' });
    const { attention, attentionTotal } = await overview();
    expect(attention.map(({ incident }) => incident.id)).to.deep.equal([down, known, partial, warning]);
    expect(attentionTotal).to.equal(4);
    expect(attention[0]).to.include({
      regionsFailing: 1,
      regionsReporting: 2,
      nextEscalationAt: null,
      acknowledgement: null,
    });
    expect(attention[1]!.acknowledgement).to.include({ userId: world.owner.userId });
  });

  it('counts the incidents that were open in each of the last 24 hours, until they were closed', async () => {
    const foreign = await makeWorld(app);
    await seedIncident(foreign, (await seedMonitor(foreign)).id);
    const open = async () => seedIncident(world, (await seedMonitor(world)).id);
    const close = (id: string) => world.api('PATCH', `/api/v1/incident/${id}`, { status: 'Resolved' });
    const byHour = async () => (await overview()).openByHour;
    const none = Array.from({ length: 24 }, () => 0);
    expect(await byHour()).to.deep.equal(none);
    const [old, short, later] = [await open(), await open(), await open()];
    app.clock.advance(5 * MINUTE_MS);
    await close(short);
    expect(await byHour()).to.deep.equal([...none.slice(1), 3]);
    app.clock.advance(3 * HOUR_MS);
    // It has recovered, and is open as long as nobody closes it.
    await app.sql('UPDATE incident SET ended = $2 WHERE id = $1', [later, new Date(app.clock.now() - 2 * HOUR_MS)]);
    await close(later);
    app.clock.advance(HOUR_MS + MINUTE_MS);
    expect(await byHour()).to.deep.equal([...none.slice(5), 3, 2, 2, 2, 1]);
    app.clock.advance(DAY_MS);
    expect(await byHour(), 'a day later').to.deep.equal(none.map(() => 1));
    await close(old);
    app.clock.advance(DAY_MS + 1);
    expect(await byHour(), 'two days later').to.deep.equal(none);
  });

  it('shows who was notified, what failed, and when the next person is paged', async () => {
    const group = await create(world.api, '/api/v1/service-group', { name: 'Checkout' });
    const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    await create(world.api, `/api/v1/teams/${team.id}/service-groups/${group.id}`, undefined, 'PUT');
    const { id } = await seedMonitor(world, { serviceGroupId: group.id });
    const incidentId = await seedIncident(world, id);
    const responder = await world.member('Responder');
    const channel = await create(world.api, '/api/v1/action-groups/email', {
      name: 'Ops',
      recipients: [world.owner.email],
    });
    await deliver(incidentId, 'delivered', `page:0:${responder.userId}`);
    app.clock.advance(1_000);
    await deliver(incidentId, 'delivered', `page:1:${responder.userId}`);
    await deliver(incidentId, 'delivered', 'group', null, channel.id);
    await deliver(incidentId, 'failed', `page:0:${world.owner.userId}`);
    const [attention] = (await overview()).attention;
    expect(attention!.notified.map(({ userId }) => userId)).to.deep.equal([responder.userId]);
    expect(Date.parse(attention!.notified[0]!.at)).to.equal(app.clock.now() - 1_000);
    expect(attention!.groupsNotified.map(({ name }) => name)).to.deep.equal(['Ops']);
    expect(attention!.failedDeliveries).to.equal(1);
    expect(attention!.nextEscalationAt).to.be.a('string');
    const { body } = await world.api('GET', `/api/v1/deliveries?incidentId=${incidentId}&state=failed`);
    expect(body).to.have.length(1);
    expect(body[0]).to.include({ userId: world.owner.userId, actionGroupId: null, answer: 'The server answered 550.' });
  });

  it('shows who is on call now and next, and the gaps of the next 14 days', async () => {
    const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    const empty = await create(world.api, '/api/v1/teams', { name: 'Zebra' });
    const people = [world.owner.userId, (await world.member('Responder')).userId];
    for (const userId of people) await create(world.api, `/api/v1/teams/${team.id}/members`, { userId });
    const startDate = new Date(app.clock.now() + 2 * DAY_MS).toISOString().slice(0, 10);
    const rotation = { rotation: 'daily', handoffTime: '09:00', startDate, participants: people };
    await create(world.api, `/api/v1/teams/${team.id}/schedule`, rotation, 'PUT');
    const { onCall } = await overview();
    expect(onCall.map(({ teamId }) => teamId)).to.deep.equal([team.id, empty.id]);
    const [first, second] = onCall as [Overview['onCall'][number], Overview['onCall'][number]];
    expect(first.now).to.equal(null);
    expect(first.next).to.include({ userId: people[0], from: `${startDate}T09:00:00.000Z` });
    expect(first.gaps).to.deep.equal([
      { start: new Date(app.clock.now()).toISOString(), end: `${startDate}T09:00:00.000Z` },
    ]);
    expect(second.gaps).to.deep.equal([
      { start: new Date(app.clock.now()).toISOString(), end: new Date(app.clock.now() + 14 * DAY_MS).toISOString() },
    ]);
    expect(second.why).to.equal('Zebra has no on-call rotation yet.');
    app.clock.advance(3 * DAY_MS);
    const [later] = (await overview()).onCall;
    expect(later!.now!.userId).to.equal(people.find((userId) => userId !== later!.next!.userId));
    expect(later!.gaps).to.deep.equal([]);
    app.clock.set(app.clock.now() - 3 * DAY_MS);
  });

  it('names regions without an agent, and since when, only where a monitor is checked from them', async () => {
    await seedMonitor(world, { enabledRegions: ['japaneast'] });
    const seen = new Date(app.clock.now() - HOUR_MS);
    for (const [region, at] of [
      ['northeurope', new Date(app.clock.now())],
      ['japaneast', seen],
      ['westus3', seen],
    ] as const)
      await app.sql(
        `INSERT INTO agent (id, name, region, token_hash, last_seen, created, last_modified) VALUES ($1, 'one', $2, $3, $4, $4, $4)`,
        [newId(app.clock.now()), region, Buffer.from(region), at],
      );
    try {
      const found = await overview();
      expect(found.regions).to.deep.equal([
        { region: 'northeurope', state: 'healthy', since: null },
        { region: 'japaneast', state: 'silent', since: seen.toISOString() },
      ]);
      expect(kinds(found)).to.include('region_silent').and.not.include('region_suspect');
      await app.sql(
        `INSERT INTO suspect_period (id, region, reason, onset, noticed, facts) VALUES ($1, 1, 'blind_agents', $2, $2, '{}')`,
        [newId(app.clock.now()), seen],
      );
      expect((await overview()).regions[0]).to.deep.equal({
        region: 'northeurope',
        state: 'suspect',
        since: seen.toISOString(),
      });
    } finally {
      await app.sql('DELETE FROM agent');
      await app.sql('DELETE FROM suspect_period');
    }
  });

  it('warns of monitors that nobody would hear of, exactly where the preview of alerts does', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 4; number++) ids.push((await seedMonitor(world, { name: `Shop ${number}` })).id);
    const stranger = await create(world.api, '/api/v1/action-groups/email', {
      name: 'Strangers',
      recipients: ['a@elsewhere.test'],
    });
    const off = await create(world.api, '/api/v1/action-groups/webhook', {
      name: 'Off',
      url: 'https://hooks.example.test/x',
      isEnabled: false,
    });
    const hook = await create(world.api, '/api/v1/action-groups/webhook', {
      name: 'On',
      url: 'https://hooks.example.test/y',
    });
    for (const [index, groupId] of [stranger.id, off.id, hook.id].entries())
      await app.sql('INSERT INTO action_group_monitor (group_id, monitor_key, attached) VALUES ($1, $2, $3)', [
        groupId,
        await keyOf(ids[index]!),
        new Date(app.clock.now()),
      ]);
    const heard: string[] = [];
    for (const id of ids) {
      const { body } = await world.api('GET', `/api/v1/monitor/${id}/alert-preview`);
      if (body.willAnyoneHear) heard.push(id);
    }
    const trouble = (await overview()).troubles.find(({ kind }) => kind === 'monitors_unheard');
    expect(trouble?.count ?? 0).to.equal(ids.length - heard.length);
    expect(trouble!.message).to.include('Shop 3').and.include('Shop 1').and.not.include('Shop 2');

    const { body: unheard } = await world.api('GET', '/api/v1/alert-coverage');
    const silent = ids.filter((id) => !heard.includes(id));
    expect(unheard.map(({ monitorId }: { monitorId: string }) => monitorId)).to.have.members(silent);
    expect(unheard.map(({ why }: { why: string }) => why)).to.include(
      'No channel is attached, and it is in no service group and has no team, so no team is paged.',
    );
  });

  it('warns of messages that were given up in the last hour, and not of those before', async () => {
    const { id } = await seedMonitor(world);
    const incidentId = await seedIncident(world, id);
    await deliver(incidentId, 'failed', 'group');
    await deliver(incidentId, 'failed', 'group', 'budget_exceeded');
    const trouble = (await overview()).troubles.find(({ kind }) => kind === 'deliveries_failing');
    expect(trouble).to.include({ count: 1, level: 'problem' });
    expect(trouble!.message).to.include('The server answered 550.');
    app.clock.advance(HOUR_MS + 1);
    expect(kinds(await overview())).not.to.include('deliveries_failing');
  });

  it('leaves out what the scopes of a token do not cover, and names them', async () => {
    const { id } = await seedMonitor(world);
    await seedIncident(world, id);
    await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    const found = await overview(world.as(world.owner, { scope: 'monitor.read' }));
    expect(found.omitted).to.deep.equal(['incident.read', 'account.read', 'alert.read']);
    expect(found.onCall).to.deep.equal([]);
    expect(kinds(found)).not.to.include('monitors_unheard');
    expect(found.attention).to.have.length(1);
  });

  it('contains nothing of another workspace', async () => {
    const foreign = await makeWorld(app);
    const { id } = await seedMonitor(foreign);
    await seedIncident(foreign, id);
    await create(foreign.api, '/api/v1/teams', { name: 'Theirs' });
    const { counts, attentionTotal, onCall } = await overview();
    expect([counts.total, attentionTotal, onCall.length]).to.deep.equal([0, 0, 0]);
  });

  it('takes as many statements for many monitors, incidents and teams as for a few', async () => {
    const grow = async (count: number) => {
      for (let number = 0; number < count; number++) {
        const { id } = await seedMonitor(world);
        await judge(id, 'unavailable');
        await seedIncident(world, id);
        const team = await create(world.api, '/api/v1/teams', { name: `Team ${number}` });
        await create(world.api, `/api/v1/teams/${team.id}/members`, { userId: world.owner.userId, teamRole: 'lead' });
      }
      await overview();
      return countQueries(() => overview());
    };
    const few = await grow(1);
    expect(await grow(10)).to.equal(few);
  });
});
