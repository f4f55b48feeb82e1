import { expect } from 'chai';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import { type ManagedProcess, startProcess } from '../support/managed-process.js';
import { type ClosedNetwork, makeClosedNetwork, whyNoNamespaces } from '../support/network-namespaces.js';
import { type Api, type Json, type Product, startProduct } from '../support/product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const AGENT = fileURLToPath(new URL('../../../agent/dist/main.js', import.meta.url));
/** A web site, and a port that answers as PostgreSQL does to the question of whether it has TLS. */
const SITES = `
  require('node:http').createServer((_, response) => response.end('intranet')).listen(8080);
  require('node:net').createServer((socket) => socket.once('data', () => socket.end('N')).on('error', () => {})).listen(5432);`;

describe('A private location in a network that cannot be reached from outside', function () {
  this.timeout(900_000);
  this.bail(true);
  let network: ClosedNetwork;
  let product: Product;
  let hook: WebhookReceiver;
  let sites: ManagedProcess;
  let api: Api;
  let locationId: string;
  let monitors: { id: string; type: string }[];
  const agents: ManagedProcess[] = [];

  before(async function () {
    const reason = whyNoNamespaces();
    if (reason !== null) {
      this.test!.title += ` (skipped: ${reason})`;
      this.skip();
    }
    network = makeClosedNetwork();
    hook = await startWebhookReceiver();
    product = await startProduct({
      env: { HOST: '0.0.0.0', GRPC_TLS_HOSTS: network.gateway, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
    });
    ({ api } = product);
    for (const user of ['user-1', 'stranger']) {
      await product.apiAs(user)('GET', '/api/v1/workspaces');
      await product.admin('set-plan', '--user', `${user}@example.test`, '--plan', 'Enterprise');
    }
    sites = startSites();
    const { id: groupId } = await make('/api/v1/action-groups/webhook', { name: 'Hook', url: hook.url });
    const location = { name: 'Vault', slug: 'vault', allowCidrs: [network.range], notifyActionGroupIds: [groupId] };
    locationId = (await make('/api/v1/private-locations', location)).id;
  });
  after(async () => {
    for (const process of [...agents, sites]) if (process?.running) process.kill('SIGKILL');
    await product?.stop();
    await hook?.stop();
    network?.remove();
  });

  async function make(path: string, body: object, as = api): Promise<Json> {
    const answer = await as('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    return answer.body;
  }
  const startSites = () =>
    startProcess({
      ...network.inside('sites', process.execPath, '-e', SITES),
      env: {},
      logFile: join(product.dataDir, 'sites.log'),
    });
  async function startAgent(name: string): Promise<{ id: string; process: ManagedProcess }> {
    const { id, token, controlPlaneUrl } = await make(`/api/v1/private-locations/${locationId}/agents`, { name });
    expect(controlPlaneUrl).to.equal(`https://${network.gateway}:${product.grpcPort}`);
    const started = startProcess({
      ...network.inside('agent', process.execPath, AGENT),
      env: {
        CONTROL_PLANE_URL: controlPlaneUrl,
        AGENT_TOKEN: token,
        DATA_DIR: join(product.dataDir, name),
        METRICS_PORT: '0',
      },
      logFile: join(product.dataDir, `${name}.log`),
    });
    agents.push(started);
    await eventually(`${name} is connected`, async () => (await stateOf(id)) === 'connected' || undefined, 60_000);
    return { id, process: started };
  }
  const stateOf = async (id: string) =>
    (await api('GET', `/api/v1/private-locations/${locationId}/agents`)).body.find((agent: Json) => agent.id === id)
      ?.state;
  const monitorOf = async (id: string) => (await api('GET', `/api/v1/monitor/${id}`)).body;
  const resultsSince = async (id: string, startMs: number): Promise<Json[]> => {
    const period = new URLSearchParams({
      startDate: new Date(startMs).toISOString(),
      endDate: new Date(Date.now() + MINUTE_MS).toISOString(),
    });
    return (await api('GET', `/api/v1/monitor/${id}/results?${period.toString()}`)).body;
  };
  /** Waits until each monitor has a result of a check that began after a moment. */
  const checkedAfter = async (atMs: number) => {
    for (const { id, type } of monitors)
      await eventually(
        `${type} is checked`,
        async () => (await resultsSince(id, atMs)).find(({ region }) => region === 'private:vault'),
        3 * MINUTE_MS,
        1_000,
      );
  };
  const incidents = async (): Promise<Json[]> => (await api('GET', '/api/v1/incident')).body;
  const notified = () => hook.calls.map(({ body }) => JSON.parse(body).type as string);

  it('checks what only its agents reach, and nothing outside its ranges', async () => {
    await startAgent('rack-1');
    const http = { url: `http://${network.site}:8080/` };
    const tcp = { url: `tcp://${network.site}:5432`, tcpUdp: { preset: 'postgres' } };
    const ping = { url: network.site, ping: { count: 2 } };
    const test = (path: string, body: object, as = api) =>
      as('POST', `/api/v1/monitor-test${path}`, { location: 'vault', ...body });
    for (const [path, body] of [
      ['', http],
      ['/tcp', tcp],
      ['/ping', ping],
    ] as const) {
      const { body: result } = await test(path, body);
      expect(result, JSON.stringify(result)).to.include({ outcome: 'up', wasAvailable: true });
      expect((await api('POST', `/api/v1/monitor-test${path}`, body)).status, 'from the home region').to.equal(400);
      expect((await test(path, body, product.apiAs('stranger'))).status, 'of another tenant').to.equal(400);
    }
    const assertions = [{ source: 'status', comparison: 'equals', target: 204, severity: 'down' }];
    const { body: unmet } = await test('', { ...http, http: { assertions } });
    expect(unmet, 'with its assertions').to.include({ outcome: 'down', statusCode: 200 });
    // A name is compared at the address that it resolves to.
    const { body: refused } = await test('', { url: 'http://localhost.localdomain:8080/' });
    expect(refused.wasAvailable ?? false).to.equal(false);
    const at = { privateLocations: ['vault'], homeRegion: false, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
    monitors = [];
    for (const [type, settings] of [
      ['HttpAvailability', http],
      ['TcpUdp', tcp],
      ['Ping', ping],
    ] as const)
      monitors.push({ type, id: (await make('/api/v1/monitor', { ...at, monitorTypes: [type], ...settings })).id });
    await checkedAfter(0);
    for (const { id } of monitors) expect((await monitorOf(id)).healthStatus).to.equal('available');
  });

  it('goes on by its other agent when one is killed', async () => {
    await startAgent('rack-2');
    agents[0]!.kill('SIGKILL');
    await agents[0]!.ended(10_000);
    await checkedAfter(Date.now() + 1_000);
    expect(await incidents()).to.deep.equal([]);
    expect(notified()).to.deep.equal([]);
  });

  it('is unknown while it is cut off, is reported once and back once, and loses no result', async () => {
    const cutMs = Date.now();
    network.cut(true);
    await eventually('its silence', () => notified().includes('location.silent') || undefined, 5 * MINUTE_MS, 1_000);
    for (const { id } of monitors)
      await eventually(
        'it is unknown',
        async () => (await monitorOf(id)).healthStatus === null || undefined,
        10 * MINUTE_MS,
        1_000,
      );
    expect(await incidents(), 'silence is no outage').to.deep.equal([]);
    network.cut(false);
    await eventually('it is back', () => notified().includes('location.back') || undefined, 3 * MINUTE_MS, 1_000);
    await checkedAfter(Date.now());
    for (const { id } of monitors) {
      const times = (await resultsSince(id, cutMs))
        .map(({ scheduledAt }) => Date.parse(scheduledAt))
        .toSorted((a, b) => a - b);
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      expect(Math.max(...gaps), 'between two checks').to.be.below(1.5 * MINUTE_MS);
      expect((await monitorOf(id)).healthStatus).to.equal('available');
    }
    expect(notified()).to.deep.equal(['location.silent', 'location.back']);
  });

  it('alone decides that what it checks is down, and names itself in the incident', async () => {
    sites.kill('SIGKILL');
    const opened = await eventually(
      'the incidents',
      async () => {
        const all = await incidents();
        return all.length === 2 ? all : undefined;
      },
      3 * MINUTE_MS,
      1_000,
    );
    for (const { id } of opened)
      expect((await api('GET', `/api/v1/incident/${id}`)).body.regions).to.deep.equal(['private:vault']);
    sites = startSites();
    await eventually(
      'their end',
      async () => (await incidents()).every(({ ended }) => ended !== null) || undefined,
      3 * MINUTE_MS,
      1_000,
    );
    const stranger = product.apiAs('stranger');
    for (const path of ['/api/v1/monitor', '/api/v1/private-locations', '/api/v1/incident'])
      expect((await stranger('GET', path)).body, path).to.deep.equal([]);
    expect(JSON.stringify((await stranger('GET', '/api/v1/overview')).body)).not.to.match(/vault/i);
  });

  it('checks nothing once its agent is revoked', async () => {
    const { body: all } = await api('GET', `/api/v1/private-locations/${locationId}/agents`);
    const { id } = all.find(({ name }: Json) => name === 'rack-2');
    const path = `/api/v1/private-locations/${locationId}/agents/${id}/revoke`;
    expect((await api('POST', path)).status).to.equal(204);
    await eventually('it is refused', () => /revoked/.test(agents[1]!.output()) || undefined, 60_000);
    const revokedMs = Date.now();
    const test = { url: `http://${network.site}:8080/`, location: 'vault' };
    const refused = await api('POST', '/api/v1/monitor-test', test);
    expect([refused.status, refused.body.error]).to.deep.equal([503, 'unavailable']);
    await startAgent('rack-3');
    await checkedAfter(revokedMs);
    expect((await api('POST', '/api/v1/monitor-test', test)).body).to.include({ outcome: 'up' });
  });
});
