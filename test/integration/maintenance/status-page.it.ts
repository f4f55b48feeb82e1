import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps } from '../results/seed.js';

const iso = (ms: number) => new Date(ms).toISOString();

describe('Maintenance on a status page', () => {
  let app: TestApp;
  let world: World;
  let ids: string[];
  let pageId: string;

  before(async () => {
    app = await startTestApp();
  });
  after(() => app?.stop());
  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    ids = [];
    for (const name of ['Shop', 'Blog'])
      ids.push((await seedMonitor(world, { name, checkInterval: 'PT1M', tags: [name.toLowerCase()] })).id);
    ({ id: pageId } = await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug: `acme-${world.workspaceId}`,
      isPublished: true,
      groups: [{ name: 'Sites', systems: ids.map((monitorId) => ({ name: monitorId, monitorId })) }],
    }));
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    const keys = await app.sql<{ key: number }>('SELECT key FROM monitor WHERE workspace_id = $1 ORDER BY key', [
      world.workspaceId,
    ]);
    app.clock.set(NOON + 10 * MINUTE_MS);
    for (const { key } of keys)
      await ingestBatch(
        deps,
        agentIn('northeurope'),
        Array.from({ length: 10 }, (_, minute) => resultOf(key, NOON + (minute + 1) * MINUTE_MS, DOWN)),
      );
  });

  const plan = (body: object): Promise<Json> =>
    create(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      description: 'New shelves.',
      startsAt: 'now',
      timezone: 'UTC',
      duration: 'PT1H',
      scope: { tags: ['shop'] },
      ...body,
    });
  const page = async (): Promise<Json> => {
    app.clock.advance(3_001);
    return (await app.anonymous('GET', `/api/v1/public/status-page/acme-${world.workspaceId}`)).body;
  };
  const systemsOf = ({ groups }: Json): Json[] => groups[0].systems;

  it('is the status of what a window covers that names the page, and hides nothing else', async () => {
    const startMs = app.clock.now();
    await plan({ statusPageIds: [pageId] });
    const shown = await page();
    expect(systemsOf(shown).map(({ status }) => status)).to.deep.equal(['maintenance', 'majorOutage']);
    expect(shown.overallStatus).to.equal('partialOutage');
    expect(shown.upcomingMaintenance).to.deep.equal([
      {
        name: 'Deploy',
        description: 'New shelves.',
        start: iso(startMs),
        end: iso(startMs + HOUR_MS),
        systemIds: [systemsOf(shown)[0]!.id],
      },
    ]);
    expect(systemsOf(shown)[0]!.timeline.at(-1)).to.deep.include({ start: iso(startMs), status: 'maintenance' });
    const html = await fetch(`${app.baseUrl}/status/acme-${world.workspaceId}`);
    expect(await html.text()).to.include('New shelves.');
  });

  it('of a window that does not name the page is neither announced nor the status', async () => {
    await plan({});
    const shown = await page();
    expect(shown.upcomingMaintenance).to.deep.equal([]);
    expect(systemsOf(shown)[0]!.status).to.equal('majorOutage');
  });

  it('is announced 7 days before, and leaves the uptime of the page as it leaves that of the monitor', async () => {
    const startsAt = (ms: number) => iso(NOON + ms).slice(0, 16);
    await plan({ statusPageIds: [pageId], startsAt: startsAt(6 * DAY_MS) });
    await plan({ statusPageIds: [pageId], startsAt: startsAt(8 * DAY_MS) });
    expect((await page()).upcomingMaintenance).to.have.length(1);
    const before: Json = (await page()).timelines[0];
    expect(before.uptimePercentage).to.equal(0);
    await plan({ scope: { all: true }, startsAt: startsAt(0), duration: 'PT5M' });
    app.clock.advance(4 * MINUTE_MS);
    const after: Json = await page();
    expect(systemsOf(after)[0]!.timeline.map(({ status }: Json) => status)).to.include('maintenance');
  });
});
