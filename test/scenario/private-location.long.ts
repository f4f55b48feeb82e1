import { expect } from 'chai';
import { join } from 'node:path';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import { type ManagedProcess, programIn, startProcess } from '../support/managed-process.js';
import { type ClosedNetwork, makeClosedNetwork, whyNoNamespaces } from '../support/network-namespaces.js';
import { type Api, type Json, type Product, startProduct } from '../support/product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** A web site, and a port that answers as PostgreSQL does to the question of whether it has TLS. */
const SITES = `
  require('node:http').createServer((_, response) => response.end('intranet')).listen(8080);
  require('node:net').createServer((socket) => socket.once('data', () => socket.end('N')).on('error', () => {})).listen(5432);`;

/** A location with its agents and monitors, in a network of its own. */
interface Site {
  slug: string;
  network: ClosedNetwork;
  hook: WebhookReceiver;
  sites: ManagedProcess;
  locationId: string;
  monitors: { id: string; type: string }[];
  agents: ManagedProcess[];
}

describe('A private location in a network that cannot be reached from outside', function () {
  this.timeout(30 * MINUTE_MS);
  this.bail(true);
  let product: Product;
  let api: Api;
  /** What happens to one of them takes its time, and so happens to the other meanwhile. */
  let vault: Site;
  let cellar: Site;
  const made: Partial<Site>[] = [];
  const steps: Record<string, Promise<void>> = {};

  before(async function () {
    const reason = whyNoNamespaces();
    if (reason !== null) {
      this.test!.title += ` (skipped: ${reason})`;
      this.skip();
    }
    for (const index of [0, 1])
      made.push({ network: makeClosedNetwork(index), hook: await startWebhookReceiver(), agents: [], monitors: [] });
    const gateways = made.map(({ network }) => network!.gateway).join();
    product = await startProduct({
      env: { HOST: '0.0.0.0', GRPC_TLS_HOSTS: gateways, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
    });
    ({ api } = product);
    for (const user of ['user-1', 'stranger']) {
      await product.apiAs(user)('GET', '/api/v1/workspaces');
      await product.admin('set-plan', '--user', `${user}@example.test`, '--plan', 'Enterprise');
    }
    for (const [index, slug] of ['vault', 'cellar'].entries()) {
      const site = Object.assign(made[index]!, { slug }) as Site;
      startSites(site);
      const { id: groupId } = await make('/api/v1/action-groups/webhook', { name: slug, url: site.hook.url });
      const location = { name: slug, slug, allowCidrs: [site.network.range], notifyActionGroupIds: [groupId] };
      site.locationId = (await make('/api/v1/private-locations', location)).id;
    }
    [vault, cellar] = made as [Site, Site];
  });
  after(async () => {
    await Promise.allSettled(Object.values(steps));
    for (const { agents = [], sites } of made)
      for (const process of [...agents, sites]) if (process?.running) process.kill('SIGKILL');
    await product?.stop();
    for (const { hook, network } of made) {
      await hook?.stop();
      network?.remove();
    }
  });

  async function make(path: string, body: object, as = api): Promise<Json> {
    const answer = await as('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    return answer.body;
  }
  const startSites = (site: Site) => {
    site.sites = startProcess({
      ...site.network.inside('sites', process.execPath, '-e', SITES),
      env: {},
      logFile: join(product.dataDir, `${site.slug}-sites.log`),
    });
  };
  const agentsOf = async ({ locationId }: Site): Promise<Json[]> =>
    (await api('GET', `/api/v1/private-locations/${locationId}/agents`)).body;
  async function startAgent(site: Site, name: string): Promise<void> {
    const { network, locationId } = site;
    const path = `/api/v1/private-locations/${locationId}/agents`;
    const { id, token, controlPlaneUrl } = await make(path, { name });
    expect(controlPlaneUrl, 'the first name of the service').to.equal(
      `https://${vault.network.gateway}:${product.grpcPort}`,
    );
    const started = startProcess({
      ...network.inside('agent', process.execPath, programIn('agent')),
      env: {
        CONTROL_PLANE_URL: `https://${network.gateway}:${product.grpcPort}`,
        AGENT_TOKEN: token,
        DATA_DIR: join(product.dataDir, `${site.slug}-${name}`),
        METRICS_PORT: '0',
      },
      logFile: join(product.dataDir, `${site.slug}-${name}.log`),
    });
    site.agents.push(started);
    const isConnected = async () =>
      (await agentsOf(site)).find((agent) => agent.id === id)?.state === 'connected' || undefined;
    await eventually(`${name} of ${site.slug} is connected`, isConnected, 3 * MINUTE_MS);
  }
  const monitorOf = async (id: string) => (await api('GET', `/api/v1/monitor/${id}`)).body;
  const resultsSince = async (id: string, startMs: number): Promise<Json[]> => {
    const period = new URLSearchParams({
      startDate: new Date(startMs).toISOString(),
      endDate: new Date(Date.now() + MINUTE_MS).toISOString(),
    });
    return (await api('GET', `/api/v1/monitor/${id}/results?${period.toString()}`)).body;
  };
  /** Waits until each monitor of a location has a result of a check that began after a moment. */
  const checkedAfter = async ({ slug, monitors }: Site, atMs: number) => {
    for (const { id, type } of monitors)
      await eventually(
        `${type} is checked in ${slug}`,
        async () => (await resultsSince(id, atMs)).find(({ region }) => region === `private:${slug}`),
        6 * MINUTE_MS,
        1_000,
      );
  };
  const incidentsOf = async ({ monitors }: Site): Promise<Json[]> =>
    (await api('GET', '/api/v1/incident')).body.filter(({ monitorId }: Json) =>
      monitors.some(({ id }) => id === monitorId),
    );
  const notified = ({ hook }: Site) => hook.calls.map(({ body }) => JSON.parse(body).type as string);

  it('checks what only its agents reach, and nothing outside its ranges', async () => {
    await Promise.all([startAgent(vault, 'rack-1'), startAgent(cellar, 'rack-1')]);
    const { site } = vault.network;
    const http = { url: `http://${site}:8080/` };
    const tcp = { url: `tcp://${site}:5432`, tcpUdp: { preset: 'postgres' } };
    const ping = { url: site, ping: { count: 2 } };
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
    for (const location of [vault, cellar]) {
      const at = { privateLocations: [location.slug], homeRegion: false, checkInterval: 'PT1M' };
      for (const [type, settings] of [
        ['HttpAvailability', http],
        ['TcpUdp', tcp],
        ['Ping', ping],
      ] as const) {
        const body = { ...at, numberOfChecksBeforeAlert: 1, monitorTypes: [type], ...settings };
        location.monitors.push({ type, id: (await make('/api/v1/monitor', body)).id });
      }
    }
    for (const location of [vault, cellar]) {
      await checkedAfter(location, 0);
      for (const { id } of location.monitors) expect((await monitorOf(id)).healthStatus).to.equal('available');
    }
    const { body: now } = await api('POST', `/api/v1/monitor/${vault.monitors[0]!.id}/check?region=private:vault`);
    expect(now).to.have.length(1);
    expect(now[0]).to.include({ place: 'private:vault', outcome: 'up' });

    steps['cut'] = cutOff(cellar);
    steps['killed'] = killOne(vault);
    steps['down'] = steps['killed'].then(() => bringDown(vault));
    steps['revoked'] = steps['down'].then(() => revoke(vault));
    // Each is awaited by its test.
    for (const step of Object.values(steps)) step.catch(() => {});
  });

  async function killOne(site: Site): Promise<void> {
    await startAgent(site, 'rack-2');
    site.agents[0]!.kill('SIGKILL');
    await site.agents[0]!.ended(60_000);
    await checkedAfter(site, Date.now() + 1_000);
    expect(await incidentsOf(site)).to.deep.equal([]);
    expect(notified(site)).to.deep.equal([]);
  }
  it('goes on by its other agent when one is killed', () => steps['killed']);

  async function bringDown(site: Site): Promise<void> {
    site.sites.kill('SIGKILL');
    const opened = await eventually(
      'the incidents',
      async () => {
        const all = await incidentsOf(site);
        return all.length === 2 ? all : undefined;
      },
      3 * MINUTE_MS,
      1_000,
    );
    for (const { id } of opened)
      expect((await api('GET', `/api/v1/incident/${id}`)).body.regions).to.deep.equal([`private:${site.slug}`]);
    startSites(site);
    await eventually(
      'their end',
      async () => (await incidentsOf(site)).every(({ ended }) => ended !== null) || undefined,
      3 * MINUTE_MS,
      1_000,
    );
    const stranger = product.apiAs('stranger');
    for (const path of ['/api/v1/monitor', '/api/v1/private-locations', '/api/v1/incident'])
      expect((await stranger('GET', path)).body, path).to.deep.equal([]);
    expect(JSON.stringify((await stranger('GET', '/api/v1/overview')).body)).not.to.match(/vault|cellar/i);
  }
  it('alone decides that what it checks is down, and names itself in the incident', () => steps['down']);

  async function revoke(site: Site): Promise<void> {
    const { id } = (await agentsOf(site)).find(({ name }) => name === 'rack-2')!;
    const path = `/api/v1/private-locations/${site.locationId}/agents/${id}/revoke`;
    expect((await api('POST', path)).status).to.equal(204);
    await eventually('it is refused', () => /revoked/.test(site.agents[1]!.output()) || undefined, 3 * MINUTE_MS);
    const revokedMs = Date.now();
    const test = { url: `http://${site.network.site}:8080/`, location: site.slug };
    const refused = await api('POST', '/api/v1/monitor-test', test);
    expect([refused.status, refused.body.error]).to.deep.equal([503, 'unavailable']);
    await startAgent(site, 'rack-3');
    await checkedAfter(site, revokedMs);
    expect((await api('POST', '/api/v1/monitor-test', test)).body).to.include({ outcome: 'up' });
  }
  it('checks nothing once its agent is revoked', () => steps['revoked']);

  async function cutOff(site: Site): Promise<void> {
    const cutMs = Date.now();
    site.network.cut(true);
    const silent = () => notified(site).includes('location.silent') || undefined;
    await eventually('its silence', silent, 5 * MINUTE_MS, 1_000);
    for (const { id } of site.monitors)
      await eventually(
        'it is unknown',
        async () => (await monitorOf(id)).healthStatus === null || undefined,
        10 * MINUTE_MS,
        1_000,
      );
    expect(await incidentsOf(site), 'silence is no outage').to.deep.equal([]);
    site.network.cut(false);
    const back = () => notified(site).includes('location.back') || undefined;
    await eventually('it is back', back, 3 * MINUTE_MS, 1_000);
    await checkedAfter(site, Date.now());
    for (const { id } of site.monitors) {
      const times = (await resultsSince(id, cutMs))
        .map(({ scheduledAt }) => Date.parse(scheduledAt))
        .toSorted((a, b) => a - b);
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      expect(Math.max(...gaps), 'between two checks').to.be.below(1.5 * MINUTE_MS);
      expect((await monitorOf(id)).healthStatus).to.equal('available');
    }
    expect(notified(site)).to.deep.equal(['location.silent', 'location.back']);
  }
  it('is unknown while it is cut off, is reported once and back once, and loses no result', () => steps['cut']);
});
