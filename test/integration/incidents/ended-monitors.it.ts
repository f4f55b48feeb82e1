import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';
import { RpcClient } from '../mcp/rpc-client.js';

describe('An incident whose monitor is no longer checked', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Enterprise');
  before(() => app.sql(`UPDATE user_account SET name = 'Ann' WHERE id = $1`, [world.owner.userId]));

  /** Ends a failing monitor. @returns its incident as REST has it, and the last sentence of its evidence */
  async function end(by: (monitorId: string) => Promise<unknown>): Promise<{ closing: Json; sentence: string }> {
    const { id: monitorId } = await seedMonitor(world);
    const incidentId = await seedIncident(world, monitorId);
    await by(monitorId);
    const { body: incident } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    expect(incident).to.include({ isClosed: true, closedBy: null });
    const { body: evidence } = await world.api('GET', `/api/v1/incident/${incidentId}/evidence`);
    return { closing: incident.timeline.at(-1), sentence: evidence.timeline.at(-1).sentence };
  }

  const bulk = (action: string) => (id: string) =>
    create(world.api, '/api/v1/monitor/bulk', { monitorIds: [id], action });
  const put = (monitoringStatus: string) => (id: string) =>
    create(world.api, `/api/v1/monitor/${id}`, { monitoringStatus }, 'PUT');
  const removedGroup = async (id: string) => {
    const group = await create(world.api, '/api/v1/service-group', { name: 'Shop', hostname: 'shop.example' });
    await create(world.api, `/api/v1/monitor/${id}`, { serviceGroupId: group.id }, 'PUT');
    const { status } = await world.api('DELETE', `/api/v1/service-group/${group.id}`);
    expect(status).to.equal(204);
  };
  const ways: [string, string, (id: string) => Promise<unknown>][] = [
    ['paused by REST', 'paused', put('paused')],
    ['disabled by REST', 'disabled', put('disabled')],
    ['paused with others', 'paused', bulk('pause')],
    ['deleted by REST', 'deleted', (id) => world.api('DELETE', `/api/v1/monitor/${id}`)],
    ['deleted with others', 'deleted', bulk('delete')],
    ['deleted with its service group', 'deleted', removedGroup],
  ];
  for (const [way, ending, act] of ways) {
    it(`names who ended the monitor where it is ${way}`, async () => {
      const { closing, sentence } = await end(act);
      expect(closing).to.deep.include({ type: 'closed', actor: world.owner.userId });
      expect(closing.detail).to.deep.equal({ automatic: true, reason: `The monitor was ${ending}.`, person: 'Ann' });
      expect(sentence).to.equal(`It was closed because the monitor was ${ending} by Ann.`);
    });
  }

  it('names who ended the monitor where a document pauses or prunes it', async () => {
    const document = (monitors: object) => ({ apiVersion: 'watchpost/v1', project: 'acme', monitors });
    const apply = (monitors: object) =>
      create<Json>(world.api, '/api/v1/config/apply', { document: document(monitors), prune: true });
    for (const [ending, monitors] of [
      ['paused', { shop: { url: 'https://doc.example/', monitoringStatus: 'paused' } }],
      ['deleted', {}],
    ] as const) {
      const applied = await apply({ shop: { url: 'https://doc.example/', monitoringStatus: 'enabled' } });
      const { body: all } = await world.api('GET', '/api/v1/monitor?pageSize=100');
      const id = all.find(({ url }: Json) => url === 'https://doc.example/').id;
      const incidentId = await seedIncident(world, id);
      await apply(monitors);
      const { body: evidence } = await world.api('GET', `/api/v1/incident/${incidentId}/evidence`);
      expect(evidence.timeline.at(-1).sentence, JSON.stringify(applied)).to.equal(
        `It was closed because the monitor was ${ending} by Ann.`,
      );
    }
  });

  it('reads over MCP who paused it', async () => {
    const { id: monitorId } = await seedMonitor(world);
    const incidentId = await seedIncident(world, monitorId);
    await put('paused')(monitorId);
    const token = await app.token(world.owner.sub);
    const client = new RpcClient(app.baseUrl, { token, headers: { 'x-workspace-id': world.workspaceId } });
    await client.initialize('2025-06-18');
    const { result } = await client.tool('get_incident', { incidentId });
    expect(JSON.parse(result.content[0].text).timeline.at(-1).detail).to.include({ person: 'Ann' });
  });

  it('names the plan where that covers fewer monitors', async () => {
    const small = await makeWorld(app, 'Enterprise');
    const { id } = await seedMonitor(small);
    const incidentId = await seedIncident(small, id);
    await app.setPlan('Enterprise', { monitors: 0 }, small.owner);
    const { body: evidence } = await small.api('GET', `/api/v1/incident/${incidentId}/evidence`);
    expect(evidence.timeline.at(-1).sentence).to.equal(
      'It was closed because the monitor was paused: the plan covers fewer monitors.',
    );
  });
});
