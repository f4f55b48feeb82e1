import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startProduct, type Json, type Product } from '../../support/product.js';

/** A site, or a reference target, that can be taken off the network and put back in the same place. */
class Place {
  private server: Server | undefined;
  constructor(readonly port: number) {}

  async open(): Promise<void> {
    const server = createServer((_, response) => response.end('fine'));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }
}

describe('Real agents without a network', function () {
  this.timeout(900_000);
  let product: Product;
  let site: Place;
  let reference: Place;

  before(async () => {
    site = new Place(await freePort());
    reference = new Place(await freePort());
    await Promise.all([site.open(), reference.open()]);
    product = await startProduct();
    const { token } = await product.createAgent('northeurope', 'home');
    product.startAgent({ name: 'home', token, env: { REFERENCE_TARGETS: `127.0.0.1:${reference.port}` } });
  });
  after(async () => {
    await product?.stop();
    await Promise.all([site.close(), reference.close()]);
  });

  const monitorOf = async (path: string) => (await product.api('GET', path)).body;
  /** An edit has it checked at once. */
  let edits = 0;
  const checkAgain = async (path: string) => {
    const edited = await product.api('PUT', path, { http: { headers: { 'x-edit': String(++edits) } } });
    expect(edited.status, JSON.stringify(edited.body)).to.equal(200);
  };
  // Most waits look here: a command starts a process for each look.
  const metrics = async () => (await fetch(`http://127.0.0.1:${product.metricsPort}/metrics`)).text();
  const notices = async () =>
    (JSON.parse(await product.admin('notices', '--json')) as { kind: string; region: string; message: string }[]).map(
      ({ kind, region }) => `${kind} ${region}`,
    );
  const incidents = async () => (await product.api('GET', '/api/v1/incident')).body as Record<string, never>[];

  it('an agent that loses its network opens no incident: the state is unknown, with one notice, until it sees again', async () => {
    const made = await product.api('POST', '/api/v1/monitor', {
      name: 'shop',
      url: `http://127.0.0.1:${site.port}/`,
      checkInterval: 'PT1M',
      numberOfChecksBeforeAlert: 1,
    });
    const path = `/api/v1/monitor/${made.body.id}`;
    const healthy = () => monitorOf(path).then(({ healthStatus }) => healthStatus === 'available' || undefined);
    await eventually('it is available', healthy, 180_000);
    const start = new Date().toISOString();

    await Promise.all([site.close(), reference.close()]);
    await checkAgain(path);
    const monitor = await eventually(
      'the state is unknown',
      async () => {
        const now = await monitorOf(path);
        return now.healthStatus === null && now.regions[0].status === 'stale' ? now : undefined;
      },
      180_000,
    );
    expect(monitor.latestTestResult.failureReason).to.match(/agent could not complete the check/);
    expect(await incidents()).to.deep.equal([]);
    // Each appears in another place, one sooner than another.
    const soon = (what: string, look: () => Promise<boolean>) =>
      eventually(what, async () => (await look()) || undefined, 180_000);
    await soon('the notice', async () => (await notices()).length > 0);
    expect(await notices()).to.deep.equal(['region_suspect northeurope']);
    await soon('the health', async () => {
      const health = (await (await fetch(`${product.baseUrl}/health`)).json()) as Json;
      return health.checks.agents.status === 'degraded';
    });
    await soon('the suspect period', async () =>
      (await metrics()).includes('watchpost_region_suspect{region="northeurope"} 1'),
    );
    expect(await notices()).to.deep.equal(['region_suspect northeurope']);
    await soon('the blindness', async () =>
      (await metrics()).includes('watchpost_agents_blind{region="northeurope"} 1'),
    );
    await soon('the list of agents', async () => /home .*blind/.test(await product.admin('agents', 'list')));
    await soon('the timeline', async () => {
      const { timeline } = (await product.api('GET', `${path}/availability?startDate=${start}`)).body;
      return timeline.at(-1).status === 'unknown';
    });

    await Promise.all([site.open(), reference.open()]);
    await checkAgain(path);
    await eventually('it is available again', healthy, 180_000);
    await eventually(
      'the region is trusted again',
      async () => (await metrics()).includes('watchpost_region_suspect{region="northeurope"} 0') || undefined,
      180_000,
    );
    expect(await notices()).to.deep.equal(['region_trusted northeurope', 'region_suspect northeurope']);
    expect(await incidents()).to.deep.equal([]);
    await product.api('DELETE', path);
  });

  it('an outage in two regions that reach everything else is one incident, confirmed by both', async () => {
    const { token } = await product.createAgent('eastus2', 'away');
    product.startAgent({ name: 'away', token, env: { REFERENCE_TARGETS: `127.0.0.1:${reference.port}` } });
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Growth');
    const made = await product.api('POST', '/api/v1/monitor', {
      name: 'shop',
      url: `http://127.0.0.1:${site.port}/`,
      checkInterval: 'PT1M',
      numberOfChecksBeforeAlert: 1,
      enabledRegions: ['eastus2'],
    });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const path = `/api/v1/monitor/${made.body.id}`;
    await eventually(
      'both regions see it',
      async () => {
        const { regions } = await monitorOf(path);
        return regions.every(({ status }: { status: string }) => status === 'available') || undefined;
      },
      180_000,
    );
    await site.close();
    await checkAgain(path);
    const [incident] = await eventually(
      'an incident',
      async () => ((await incidents()).length > 0 ? incidents() : undefined),
      180_000,
    );
    await eventually(
      'both regions on it, and the second opinion of each on the other',
      async () => {
        const { regions, context } = (await product.api('GET', `/api/v1/incident/${incident!['id']}`)).body;
        return regions.length === 2 && context.secondOpinions?.length > 0 ? true : undefined;
      },
      180_000,
    );
    expect(await incidents()).to.have.length(1);
    expect(await notices()).to.have.length(2);
  });
});
