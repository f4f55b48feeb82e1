import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';
import { create, makeWorld } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const PATH = '/api/v1/private-locations';

describe('A private location', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Enterprise');

  it('is refused with everything that is wrong with it at once', async () => {
    const { status, body } = await world.api('POST', PATH, {
      name: '',
      slug: 'eastus2',
      allowCidrs: ['10.0.0.0/8', '10.1.0.0/8', 'office'],
      denyCidrs: ['fd00::/200'],
      labels: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`label-${at}`, 'x'])),
      reachability: 'silent',
    });
    expect(status).to.equal(400);
    expect(body.details.map(({ path }: { path: string }) => path).toSorted()).to.deep.equal([
      'allowCidrs.1',
      'allowCidrs.2',
      'denyCidrs.0',
      'labels',
      'name',
      'reachability',
      'slug',
    ]);
    const labels = { fine: 'x', bell: '\u0007', '\u202Ename': 'x' };
    const unseen = await world.api('POST', PATH, { name: 'Office', slug: 'unseen', labels });
    expect(unseen.body.details.map(({ path }: { path: string }) => path)).to.have.members([
      'labels.bell',
      'labels.\u202Ename',
    ]);
  });

  it('stays while monitors are checked from it, unless it is taken out of them, and shows its slug in them', async () => {
    const office = await create(world.api, PATH, { name: 'Office', slug: 'office', allowCidrs: ['10.0.0.0/8'] });
    const body = { url: 'http://10.0.0.5/', privateLocations: ['office'], homeRegion: false };
    const monitor = await create(world.api, '/api/v1/monitor', body);
    const of = async () => (await world.api('GET', `/api/v1/monitor/${monitor.id}`)).body;
    const placesOf = async () => (await of()).regions.map(({ region }: { region: string }) => region);
    expect(await placesOf()).to.deep.equal(['private:office']);
    const change = { name: 'Office', slug: 'head-office', allowCidrs: ['10.0.0.0/8'], reachability: 'voting' };
    const changed = await world.api('PUT', `${PATH}/${office.id}`, change);
    expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
    expect(await placesOf()).to.deep.equal(['private:head-office']);
    expect((await of()).privateLocations).to.deep.equal(['head-office']);
    const refused = await world.api('DELETE', `${PATH}/${office.id}`);
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'location_in_use']);
    expect(refused.body.details[0].path).to.equal(`monitors.${monitor.id}`);
    expect((await world.api('DELETE', `${PATH}/${office.id}?detach=true`)).status).to.equal(204);
    expect(await of()).to.deep.include({ privateLocations: [], homeRegion: true, monitoringStatus: 'paused' });
  });

  it('has a slug that is free again in its workspace once it is deleted, and a code that is never given again', async () => {
    const first = await create(world.api, PATH, { name: 'Office', slug: 'office' });
    const taken = await world.api('POST', PATH, { name: 'Other office', slug: 'office' });
    expect([taken.status, taken.body.error]).to.deep.equal([409, 'slug_taken']);
    const other = await makeWorld(app, 'Enterprise');
    await create(other.api, PATH, { name: 'Office', slug: 'office' });
    expect((await world.api('DELETE', `${PATH}/${first.id}`)).status).to.equal(204);
    expect((await world.api('GET', `${PATH}/${first.id}`)).status).to.equal(404);
    await create(world.api, PATH, { name: 'Office again', slug: 'office' });
    const codes = await app.db.read((tx) =>
      tx.column<number>('SELECT code FROM private_location WHERE workspace_id = $1 ORDER BY code', [world.workspaceId]),
    );
    expect(codes).to.deep.equal([100, 101]);
  });

  it('loses the action groups that are deleted', async () => {
    const group = await create(world.api, '/api/v1/action-groups/email', {
      name: 'On call',
      recipients: ['ops@example.test'],
    });
    const { id } = await create(world.api, PATH, { name: 'Office', slug: 'office', notifyActionGroupIds: [group.id] });
    await world.api('DELETE', `/api/v1/action-groups/${group.id}`);
    expect((await world.api('GET', `${PATH}/${id}`)).body.notifyActionGroupIds).to.deep.equal([]);
  });

  it('has at most 20 agents of different names, without those that are revoked', async () => {
    const { id } = await create(world.api, PATH, { name: 'Office', slug: 'office' });
    const agents = `${PATH}/${id}/agents`;
    const first = await create(world.api, agents, { name: 'rack-1' });
    expect((await world.api('POST', agents, { name: 'rack-1' })).body.details[0].path).to.equal('name');
    for (let at = 2; at <= 20; at++) await create(world.api, agents, { name: `rack-${at}` });
    expect((await world.api('POST', agents, { name: 'rack-21' })).body.error).to.equal('plan_limit_exceeded');
    expect((await world.api('POST', `${agents}/${first.id}/revoke`)).status).to.equal(204);
    const again = await create(world.api, agents, { name: 'rack-1' });
    await app.sql("UPDATE agent SET capabilities = '{http,ping}', can_trace = false WHERE id = $1", [again.id]);
    const listed = await world.api('GET', `${agents}?pageSize=100`);
    expect(listed.body).to.have.length(20);
    expect(listed.body.map((agent: { id: string }) => agent.id)).not.to.include(first.id);
    expect(listed.body.flatMap(({ lacks }: { lacks: string[] }) => lacks)).to.deep.equal(['traceroute']);
  });

  it('revokes its agents when it is deleted', async () => {
    const { id } = await create(world.api, PATH, { name: 'Office', slug: 'office' });
    await create(world.api, `${PATH}/${id}/agents`, { name: 'rack-1' });
    await world.api('DELETE', `${PATH}/${id}`);
    expect(await app.db.read((tx) => tx.column('SELECT status FROM agent WHERE region = $1', [id]))).to.deep.equal([
      'revoked',
    ]);
  });

  it('that advises makes the availability of a monitor partial where it fails, and is no downtime', async () => {
    app.clock.set(NOON);
    const office = await create(world.api, PATH, { name: 'Office', slug: 'office' });
    const settings = { url: 'https://shop.example/', checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
    const { id } = await create(world.api, '/api/v1/monitor', { ...settings, privateLocations: ['office'] });
    const [{ key }] = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [id])) as [
      { key: number },
    ];
    const agent = {
      agentId: newId(NOON),
      agentKey: 7,
      region: 'private:#100' as const,
      location: { id: office.id, workspaceId: world.workspaceId },
    };
    const results = { ...resultsDeps(app.db), clock: app.clock };
    for (let minute = 0; minute < 4; minute++) {
      app.clock.set(NOON + minute * MINUTE_MS + 500);
      const atMs = NOON + minute * MINUTE_MS;
      await ingestBatch(results, agentIn('northeurope'), [resultOf(key, atMs)]);
      await ingestBatch(results, agent, [resultOf(key, atMs, minute === 0 ? UP : DOWN)]);
    }
    const of = async (path: string) => (await world.api('GET', `/api/v1/monitor/${id}${path}`)).body;
    const statuses = (await of('/availability')).timeline.map(({ status }: { status: string }) => status);
    expect(statuses).to.include('partial').and.to.include('available').and.not.to.include('unavailable');
    expect(await of('')).to.deep.include({ healthStatus: 'degraded', latestIncident: null });
    expect((await world.api('GET', '/api/v1/incident')).body).to.deep.equal([]);
  });
});
