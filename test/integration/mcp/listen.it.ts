import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { makeWorld, nobodysId, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { startSecondProcess } from '../events/second-process.js';
import { RpcClient } from './rpc-client.js';

const VERSION = '2026-07-28';
const OPEN = 'watchpost://incidents/open';

describe('Incidents over subscriptions/listen', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Pro');
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await eventually('all streams are released', async () => (await leases()) === 0 || undefined, PATIENCE_MS, 10);
    expect(app.warnings).to.deep.equal([]);
  });

  async function leases(): Promise<number> {
    return app.value<number>('SELECT count(*) AS count FROM event_stream_lease');
  }
  /** The official client, with the URIs that it was notified of. */
  async function connect(of: World = world, { sub = of.owner.sub, baseUrl = app.baseUrl } = {}) {
    const client = new Client({ name: 'official', version: '2.4' }, { versionNegotiation: { mode: { pin: VERSION } } });
    const headers = { authorization: `Bearer ${await app.token(sub)}`, 'x-workspace-id': of.workspaceId };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
    clients.push(client);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    const updateOf = (uri: string) => eventually(`an update of ${uri}`, async () => updated.includes(uri) || undefined);
    return { client, updated, updateOf };
  }
  const listenBy = async (resourceSubscriptions: unknown, options: { token?: string; of?: World } = {}) => {
    const { of = world, token = await app.token(of.owner.sub) } = options;
    const bare = new RpcClient(app.baseUrl, { token });
    const params = {
      notifications: { resourceSubscriptions },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': VERSION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    return bare.post(
      { jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params },
      {
        'mcp-protocol-version': VERSION,
        'mcp-method': 'subscriptions/listen',
        'x-workspace-id': of.workspaceId,
      },
    );
  };

  it('update the list of open ones, the incident and its monitor, and nothing that was not asked for', async () => {
    const { id: monitorId } = await seedMonitor(world);
    const { id: otherId } = await seedMonitor(world);
    const first = await seedIncident(world, otherId);
    const all = await connect();
    const one = await connect();
    const listened = await all.client.listen({ resourceSubscriptions: [OPEN, `watchpost://monitor/${monitorId}`] });
    expect(listened.honoredFilter.resourceSubscriptions).to.have.length(2);
    await one.client.listen({ resourceSubscriptions: [`watchpost://incident/${first}`], toolsListChanged: true });
    const second = await seedIncident(world, monitorId);
    await all.updateOf(OPEN);
    const { contents } = await all.client.readResource({ uri: OPEN });
    expect((contents[0] as { text: string }).text).to.include(second);
    await world.api('PUT', `/api/v1/monitor/${monitorId}`, { name: 'Renamed' });
    await all.updateOf(`watchpost://monitor/${monitorId}`);
    await world.api('PATCH', `/api/v1/incident/${first}`, { acknowledged: true });
    await one.updateOf(`watchpost://incident/${first}`);
    expect(new Set(one.updated)).to.deep.equal(new Set([`watchpost://incident/${first}`]));
    expect(all.updated).to.not.include(`watchpost://incident/${first}`);
  });

  it('are never those of another workspace, whatever is asked for', async () => {
    const foreign = await makeWorld(app, 'Pro');
    const { id: monitorId } = await seedMonitor(foreign);
    const incidentId = await seedIncident(foreign, monitorId);
    const uris = [OPEN, `watchpost://incident/${incidentId}`, `watchpost://monitor/${monitorId}`];
    const mine = await connect();
    const theirs = await connect(foreign);
    await mine.client.listen({ resourceSubscriptions: uris });
    await theirs.client.listen({ resourceSubscriptions: uris });
    await foreign.api('PATCH', `/api/v1/incident/${incidentId}`, { status: 'Resolved' });
    await foreign.api('PUT', `/api/v1/monitor/${monitorId}`, { name: 'Renamed' });
    for (const uri of uris) await theirs.updateOf(uri);
    // What comes after theirs in the same stream of events has come, and theirs has not.
    await seedIncident(world, (await seedMonitor(world)).id);
    await mine.updateOf(OPEN);
    expect(new Set(mine.updated)).to.deep.equal(new Set([OPEN]));
  });

  it('end within seconds for who may no longer read them', async () => {
    const { sub, memberId } = await world.member('Viewer');
    const leaving = await connect(world, { sub });
    const subscription = await leaving.client.listen({ resourceSubscriptions: [OPEN] });
    const staying = await connect();
    await staying.client.listen({ resourceSubscriptions: [OPEN] });
    await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${memberId}`);
    expect(await subscription.closed).to.not.equal('local');
    await eventually('its place is released', async () => (await leases()) === 1 || undefined, PATIENCE_MS, 10);
  });

  it('end gracefully with their process, and go on at another one', async () => {
    const process = await startSecondProcess(app);
    const before = await connect(world, { baseUrl: process.baseUrl });
    const subscription = await before.client.listen({ resourceSubscriptions: [OPEN] });
    await process.stop();
    expect(await subscription.closed).to.equal('graceful');
    const restarted = await startSecondProcess(app);
    try {
      const after = await connect(world, { baseUrl: restarted.baseUrl });
      await after.client.listen({ resourceSubscriptions: [OPEN] });
      await seedIncident(world, (await seedMonitor(world)).id);
      await after.updateOf(OPEN);
      await after.client.close();
    } finally {
      await restarted.stop();
    }
  });

  it('take a place of their principal, ten of which one may hold', async () => {
    const { client } = await connect();
    for (let count = 0; count < 10; count++) await client.listen({ resourceSubscriptions: [OPEN] });
    const { status, body } = await listenBy([OPEN]);
    expect([status, body.id, body.error.data.error]).to.deep.equal([200, 7, 'rate_limited']);
    expect(body.error.data.retryAfterSeconds).to.be.above(0);
    const other = await connect(await makeWorld(app, 'Pro'));
    await other.client.listen({ resourceSubscriptions: [OPEN] });
  });

  it('need the token, scope and plan of the tool that reads them', async () => {
    const refusalOf = async (uris: unknown, options: Parameters<typeof listenBy>[1] = {}) => {
      const { status, body } = await listenBy(uris, options);
      return [status, body.error.data?.error ?? body.error.code];
    };
    expect((await listenBy([OPEN], { token: '' })).status).to.equal(401);
    const token = await app.token(world.owner.sub, 'monitor.read');
    expect(await refusalOf([OPEN], { token })).to.deep.equal([200, 'insufficient_scope']);
    const small = await makeWorld(app, 'Starter');
    expect(await refusalOf([OPEN], { of: small })).to.deep.equal([200, 'feature_not_in_plan']);
    for (const uris of [['watchpost://incident/x'], ['file:///etc/passwd'], Array(101).fill(OPEN)])
      expect(await refusalOf(uris)).to.deep.equal([200, -32602]);
    for (const uris of ['x', [5], [null], {}])
      expect((await listenBy(uris)).body.error.code, JSON.stringify(uris)).to.equal(-32602);
    expect(await refusalOf([`watchpost://incident/${nobodysId()}`], { token })).to.deep.equal([
      200,
      'insufficient_scope',
    ]);
    expect(await leases()).to.equal(0);
  });
});
