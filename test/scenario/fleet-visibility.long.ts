import { expect } from 'chai';
import type { Region } from '@watchpost/shared/region';
import { eventually } from '../support/eventually.js';
import { FleetWorld } from '../support/fleet/fleet-world.js';
import type { Api, Json } from '../support/product.js';
import { needRedis } from '../support/redis.js';
import { create } from '../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const HOME = 'northeurope';
const AWAY = 'eastus2';
/** Unrelated addresses of loopback: each is a site in a separate network with a separate owner. */
const SITES = Array.from({ length: 12 }, (_, index) => `127.0.${100 + index}.1`);
/** These are checked in the home region only. */
const AT_HOME_ONLY = 4;

interface Site {
  /** As its owner. */
  api: Api;
  id: string;
  path: string;
  regions: Region[];
}

describe('two regions, two control planes and a network that can be cut', function () {
  this.timeout(900_000);
  let world: FleetWorld;
  let pager: WebhookReceiver;
  const sites: Site[] = [];

  before(async function () {
    needRedis(this);
    if (process.platform !== 'linux') this.skip();
    pager = await startWebhookReceiver();
    world = await FleetWorld.start({ controlPlanes: 2, regions: [HOME, AWAY], agentsEach: 2 });
    for (const [index, address] of SITES.entries()) {
      const api = world.apiAs(`owner-${index}`);
      const { email } = (await api<{ email: string }>('GET', '/api/v1/user')).body;
      await world.admin('set-plan', '--user', email, '--plan', 'Enterprise');
      // A failure in one region is enough for an incident, unless the region is suspect.
      const [workspace] = (await api('GET', '/api/v1/workspaces')).body;
      await create(api, `/api/v1/workspaces/${workspace.id}`, { settings: { incidentQuorum: 'any' } }, 'PATCH');
      const group = await create(api, '/api/v1/action-groups/webhook', { name: 'Pager', url: pager.url });
      const regions: Region[] = index < AT_HOME_ONLY ? [HOME] : [HOME, AWAY];
      const path = `/site/${index}`;
      const { id } = await create(api, '/api/v1/monitor', {
        name: `site ${index}`,
        url: `http://${address}:${world.target.port}${path}`,
        checkInterval: 'PT1M',
        numberOfChecksBeforeAlert: 1,
        enabledRegions: regions.slice(1),
      });
      await create(api, `/api/v1/action-groups/${group.id}/monitors/${id}`);
      sites.push({ api, id, path, regions });
    }
    await allAre('available');
  });
  after(async () => {
    await world?.stop();
    await pager?.stop();
  });

  /** Of every owner. */
  async function listOfAll(path: string): Promise<Json[]> {
    return (await Promise.all(sites.map(async ({ api }) => (await api('GET', path)).body as Json[]))).flat();
  }
  const monitorsOfAll = () => listOfAll('/api/v1/monitor?pageSize=200');

  /** Waits until all monitors have this health. */
  async function allAre(health: string): Promise<void> {
    await eventually(
      `every monitor is ${health}`,
      async () => {
        const isSo = (await monitorsOfAll()).every(
          (one: { healthStatus: string | null; regions: { status: string }[] }) =>
            one.healthStatus === health && one.regions.every(({ status }) => status === health),
        );
        return isSo || undefined;
      },
      180_000,
      250,
    );
  }

  /** Edits a monitor, which makes each of its regions check it at once. */
  let edits = 0;
  async function checkAgain(of: readonly Site[]): Promise<void> {
    const header = { 'x-edit': String(++edits) };
    for (const { api, id } of of) await create(api, `/api/v1/monitor/${id}`, { http: { headers: header } }, 'PUT');
  }

  const incidents = () => listOfAll('/api/v1/incident?pageSize=200');
  const pages = () => pager.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const notices = async () =>
    (JSON.parse(await world.admin('notices', '--json')) as { kind: string; region: string }[]).map(
      ({ kind, region }) => `${kind} ${region}`,
    );

  it('an outage that both regions see, each with two agents, is one incident and one page', async () => {
    const site = sites.at(-1)!;
    await world.breakPages([site.path]);
    await checkAgain([site]);
    const [opened] = await eventually(
      'an incident of both regions',
      async () => {
        const [incident] = await incidents();
        const whole = incident && (await site.api('GET', `/api/v1/incident/${incident.id}`)).body;
        return whole?.regions.length === 2 ? [incident] : undefined;
      },
      180_000,
    );
    await pager.received(1);
    await world.breakPages([]);
    await checkAgain([site]);
    await eventually('it is over', async () => (pages().includes('incident.resolved') ? true : undefined), 180_000);
    expect(await incidents()).to.have.length(1);
    expect(pages().filter((type) => type === 'incident.opened')).to.have.length(1);
    expect(pages().filter((type) => type === 'incident.resolved')).to.have.length(1);
    expect((await incidents())[0]!.id).to.equal(opened!.id);
    expect(await notices()).to.deep.equal([]);
  });

  it('a region whose agents lose their network pages no one, notifies the operators once, and shows unknown in timelines', async () => {
    await allAre('available');
    const [before, startDate] = [pages().length, new Date().toISOString()];
    await world.cutOff(HOME);
    await checkAgain(sites);
    // More than a minute, so that each monitor is also checked by its schedule.
    await eventually('the region is suspect', async () => (await notices())[0], 180_000, 500);
    await eventually(
      'monitors that only this region checks are unknown, and all others are available',
      async () => {
        const monitors: { healthStatus: string | null; regions: unknown[] }[] = await monitorsOfAll();
        const judged = monitors.every(({ healthStatus, regions }) =>
          regions.length === 1 ? healthStatus === null : healthStatus === 'available',
        );
        return (monitors.length === SITES.length && judged) || undefined;
      },
      180_000,
      500,
    );
    await new Promise((resolve) => setTimeout(resolve, 70_000));
    expect(await incidents(), 'no incident but that of before').to.have.length(1);
    expect(pages(), 'no one is paged').to.have.length(before);
    expect(await notices()).to.deep.equal([`region_suspect ${HOME}`]);
    for (const { api, id, path } of sites.slice(0, AT_HOME_ONLY)) {
      const { body } = await api('GET', `/api/v1/monitor/${id}/availability?startDate=${startDate}`);
      expect(body.timeline.at(-1), path).to.include({ status: 'unknown' });
      expect(body, path).to.include({ unhealthyChecks: 0 });
    }
  });
});
