import { expect } from 'chai';
import { change, openIncident, seedGroup } from '../../support/seed-alerts.js';
import { create, makeWorld, seedMonitor } from '../../support/seed.js';
import { appForSuite, receiverForEach, worldForEach } from '../../support/suite.js';

interface Call {
  type: string;
  data: { monitor: { id: string } };
}

describe('A group that is attached to tags or to all monitors', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app);
  const hook = receiverForEach();

  const newGroup = async (attachTo?: object, of = world) =>
    (await seedGroup(of, 'webhook', { url: hook.url, ...(attachTo && { attachTo }) })).id;
  const calls = async () => {
    await app.plane.delivery.runDue();
    return hook.calls.map(({ body }) => {
      const { type, data } = JSON.parse(body) as Call;
      return [type, data.monitor.id];
    });
  };
  const groupsOf = async (monitorId: string): Promise<string[]> =>
    (await world.api('GET', `/api/v1/monitor/${monitorId}/action-groups`)).body.map(({ id }: { id: string }) => id);
  const monitorsOf = async (id: string): Promise<string[]> =>
    (await world.api('GET', `/api/v1/action-groups/${id}/monitors`)).body.map(
      ({ monitorId }: { monitorId: string }) => monitorId,
    );

  it('is notified of monitors that have one of the tags, also of those that are created or tagged afterwards', async () => {
    const id = await newGroup({ tags: ['Team:Web', 'checkout', 'checkout'] });
    const web = await seedMonitor(world, { tags: ['team:web'] });
    const other = await seedMonitor(world, { tags: ['team:data'] });
    const later = await seedMonitor(world);
    await world.api('PUT', `/api/v1/monitor/${later.id}`, { tags: ['checkout'] });
    for (const monitor of [web, other, later]) await openIncident(world, monitor.id);
    expect(await calls()).to.have.deep.members([
      ['incident.opened', web.id],
      ['incident.opened', later.id],
    ]);
    const { body } = await world.api('GET', `/api/v1/action-groups/${id}`);
    expect(body).to.deep.include({ attachTo: { tags: ['checkout', 'team:web'], all: false }, monitorCount: 2 });
    expect(await monitorsOf(id)).to.have.members([web.id, later.id]);
    expect(await groupsOf(web.id)).to.deep.equal([id]);
    expect(await groupsOf(other.id)).to.deep.equal([]);
  });

  it('is notified once of a monitor that it is attached to in every way', async () => {
    const id = await newGroup({ tags: ['shop'], all: true });
    const monitor = await seedMonitor(world, { tags: ['shop'] });
    await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitor.id}`);
    await openIncident(world, monitor.id);
    expect(await calls()).to.deep.equal([['incident.opened', monitor.id]]);
    expect((await world.api('GET', `/api/v1/action-groups/${id}`)).body.monitorCount).to.equal(1);
  });

  it('is notified of what is open once it is attached, and of nothing once it is not', async () => {
    const id = await newGroup();
    const monitor = await seedMonitor(world);
    const incidentId = await openIncident(world, monitor.id);
    expect(await calls()).to.deep.equal([]);
    const attach = (attachTo: object) => world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { attachTo });
    await attach({ all: true });
    await attach({ all: true, tags: ['a'] });
    expect(await calls()).to.deep.equal([['incident.opened', monitor.id]]);
    await change(world, incidentId, { kind: 'recover' });
    await calls();
    await attach({});
    await openIncident(world, monitor.id);
    expect((await calls()).map(([type]) => type)).to.deep.equal(['incident.opened', 'incident.resolved']);
    const { body: audit } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?action=action_group.updated`,
    );
    expect(audit.map(({ changes }: { changes: object }) => changes)).to.deep.include({
      'attachTo.all': { from: true, to: false },
      'attachTo.tags': { from: ['a'], to: [] },
    });
  });

  it('is notified of what is open of a monitor that is given one of its tags, once', async () => {
    await newGroup({ tags: ['shop', 'web'] });
    const foreign = await makeWorld(app);
    await newGroup({ tags: ['shop'] }, foreign);
    const [single, bulk, over] = [await seedMonitor(world), await seedMonitor(world), await seedMonitor(world)];
    for (const { id } of [single, bulk]) await openIncident(world, id);
    await change(world, await openIncident(world, over.id), { kind: 'recover' });
    expect(await calls()).to.deep.equal([]);
    await world.api('PUT', `/api/v1/monitor/${single.id}`, { tags: ['shop', 'other'] });
    const add = (tags: string[]) =>
      create(world.api, '/api/v1/monitor/bulk', { monitorIds: [single.id, bulk.id, over.id], action: 'addTags', tags });
    await add(['shop']);
    await add(['web']);
    expect(await calls()).to.have.deep.members([
      ['incident.opened', single.id],
      ['incident.opened', bulk.id],
    ]);
  });

  it('is detached from a single monitor by a document that attaches it to all', async () => {
    const apply = async (attachTo: object, actionGroups: string[]) => {
      const document = {
        apiVersion: 'watchpost/v1',
        project: 'shop',
        actionGroups: { hook: { name: 'Hook', type: 'webhook', url: hook.url, attachTo } },
        monitors: {
          site: { name: 'Site', url: 'https://shop.example/', monitorTypes: ['HttpAvailability'], actionGroups },
        },
      };
      const { status, body } = await world.api('POST', '/api/v1/config/apply', { document });
      expect(status, JSON.stringify(body)).to.equal(200);
    };
    await apply({}, ['hook']);
    await apply({ all: true }, []);
    const singles = await app.sql(
      'SELECT FROM action_group_monitor a JOIN action_group g ON g.id = a.group_id WHERE g.workspace_id = $1',
      [world.workspaceId],
    );
    expect(singles).to.deep.equal([]);
    const [monitor] = (await world.api('GET', '/api/v1/monitor')).body;
    expect(await groupsOf(monitor.id)).to.have.length(1);
  });

  it('is not attached to the monitors of another workspace', async () => {
    const foreign = await makeWorld(app);
    const theirs = await seedMonitor(foreign, { tags: ['shop'] });
    const id = await newGroup({ tags: ['shop'], all: true });
    const own = await newGroup({ tags: ['shop'] }, foreign);
    await openIncident(foreign, theirs.id);
    expect(await calls()).to.have.length(1);
    expect(await monitorsOf(id)).to.deep.equal([]);
    expect((await foreign.api('GET', `/api/v1/action-groups/${own}`)).body.monitorCount).to.equal(1);
  });

  it('counts as somebody who hears of the monitor, and is in the preview of its notifications', async () => {
    const monitor = await seedMonitor(world);
    const unheard = async () => (await world.api('GET', '/api/v1/alert-coverage')).body.length;
    expect(await unheard()).to.equal(1);
    const id = await newGroup({ all: true });
    expect(await unheard()).to.equal(0);
    const { body } = await world.api('GET', `/api/v1/monitor/${monitor.id}/alert-preview`);
    expect(JSON.stringify(body)).to.include(id);
    const tagged = await newGroup({ tags: ['shop'] });
    const { body: ofNew } = await world.api('GET', '/api/v1/alert-preview?tag=shop');
    expect(JSON.stringify(ofNew)).to.include(id).and.to.include(tagged);
  });

  it('is detached from one of them by its tags alone, and kept while it has any', async () => {
    const id = await newGroup({ tags: ['shop'] });
    const [tagged, single] = [await seedMonitor(world, { tags: ['shop'] }), await seedMonitor(world)];
    await create(world.api, `/api/v1/action-groups/${id}/monitors/${single.id}`);
    for (const path of [
      `/api/v1/action-groups/${id}/monitors/${tagged.id}`,
      `/api/v1/monitor/${tagged.id}/webhook-action-group/${id}`,
    ]) {
      const { status, body } = await world.api('DELETE', path);
      expect([status, body.details[0].path]).to.deep.equal([400, 'attachTo']);
    }
    expect((await world.api('DELETE', `/api/v1/monitor/${single.id}/webhook-action-group/${id}`)).status).to.equal(204);
    expect(await monitorsOf(id)).to.deep.equal([tagged.id]);
  });

  it('is refused with a list of all faults', async () => {
    const tags = [...Array.from({ length: 51 }, (_, at) => `tag-${at}`), 'no tag'];
    const body = { name: 'Hook', url: hook.url, attachTo: { tags, all: 'yes', monitors: [] } };
    const answer = await world.api('POST', '/api/v1/action-groups/webhook', body);
    expect(answer.status).to.equal(400);
    const paths = answer.body.details.map(({ path }: { path: string }) => path);
    expect(paths).to.have.members(['attachTo.monitors', 'attachTo.all', 'attachTo.tags']);
  });
});
