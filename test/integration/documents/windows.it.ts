import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { makeWorld } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

describe('Maintenance windows in a document', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Enterprise');

  const slug = () => `shop-${world.workspaceId.slice(-12)}`;
  const documentOf = (windows: object) => ({
    apiVersion: 'watchpost/v1',
    project: 'shop',
    serviceGroups: { shop: { name: 'Shop' } },
    monitors: {
      checkout: { url: 'https://shop.example/', serviceGroup: 'shop' },
      blog: { url: 'https://blog.example/' },
    },
    statusPages: { public: { name: 'Shop', slug: slug() } },
    maintenanceWindows: windows,
  });
  const weekly = {
    name: 'Deploys',
    startsAt: '2027-01-03T02:00',
    duration: 'PT1H',
    recurrence: 'FREQ=WEEKLY',
    scope: { monitors: ['checkout', 'blog', 'checkout'], serviceGroups: ['shop'], tags: ['team:web'] },
    statusPages: ['public'],
  };
  async function done(verb: 'plan' | 'apply', document: unknown, more: object = {}, by = world): Promise<Json> {
    const { status, body } = await by.api('POST', `/api/v1/config/${verb}`, { document, ...more });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const windows = async (by = world): Promise<Json[]> => (await by.api('GET', '/api/v1/maintenance-windows')).body;

  it('cover objects by key, in the time zone of the workspace, and are unchanged the second time', async () => {
    await app.sql(`UPDATE workspace SET timezone = 'Asia/Tokyo' WHERE id = $1`, [world.workspaceId]);
    await done('apply', documentOf({ weekly }));
    const [window] = await windows();
    const monitors: Json[] = (await world.api('GET', '/api/v1/monitor')).body;
    const [group] = (await world.api('GET', '/api/v1/service-group')).body;
    const [page] = (await world.api('GET', '/api/v1/status-page')).body;
    expect(window).to.deep.include({ timezone: 'Asia/Tokyo', statusPageIds: [page.id], recurrence: 'FREQ=WEEKLY' });
    expect(window.scope.monitorIds).to.have.members(monitors.map(({ id }) => id));
    expect(window.scope).to.deep.include({ serviceGroupIds: [group.id], tags: ['team:web'], all: false });
    expect((await done('apply', documentOf({ weekly }))).summary).to.include({ unchanged: 5, update: 0 });

    const { scope } = window;
    await world.api('PUT', `/api/v1/maintenance-windows/${window.id}`, {
      scope: { ...scope, tags: [] },
      checks: 'pause',
    });
    const drift = await done('apply', documentOf({ weekly: { ...weekly, scope: { all: true } } }));
    expect(drift.changes.find(({ action }: Json) => action === 'update')).to.deep.include({
      kind: 'maintenanceWindows',
      key: 'weekly',
      fields: {
        checks: { from: 'pause', to: 'run' },
        'scope.monitors': { from: ['blog', 'checkout'], to: [] },
        'scope.serviceGroups': { from: ['shop'], to: [] },
        'scope.all': { from: false, to: true },
      },
    });
    expect((await windows())[0]!.scope).to.deep.equal({ monitorIds: [], serviceGroupIds: [], tags: [], all: true });
    expect((await done('apply', documentOf({}), { prune: true })).summary).to.include({ delete: 1 });
    expect(await windows()).to.deep.equal([]);
  });

  it('are exported with their time zone, and begin elsewhere with what is still to come', async () => {
    const past = { name: 'Past', startsAt: '2026-11-01T02:00', duration: 'PT1H', scope: { all: true } };
    const recurring = { ...weekly, startsAt: '2026-03-01T02:00', recurrence: 'FREQ=DAILY' };
    await done('apply', documentOf({ past, recurring }));
    expect((await windows()).map(({ name, state }) => [name, state])).to.have.deep.members([
      ['Past', 'finished'],
      ['Deploys', 'scheduled'],
    ]);
    const before = await app.sql('SELECT FROM maintenance_occurrence WHERE starts < $1', [new Date(app.clock.now())]);
    expect(before, 'the past stays as it was').to.have.length(0);
    const { body: exported } = await world.api('GET', '/api/v1/config/export?project=shop');
    expect(exported.maintenanceWindows).to.deep.equal({
      past: { ...past, timezone: 'UTC' },
      recurring: { ...recurring, timezone: 'UTC', scope: { ...weekly.scope, monitors: ['blog', 'checkout'] } },
    });
    expect((await done('plan', exported)).summary).to.include({ unchanged: 6 });
    const other = await makeWorld(app, 'Enterprise');
    const copy = JSON.parse(JSON.stringify(exported).replace(slug(), `copy-${slug()}`));
    await done('apply', copy, {}, other);
    expect((await other.api('GET', '/api/v1/config/export?project=shop')).body).to.deep.equal(copy);
  });

  it('name what another project manages by its id, and leave out what is gone', async () => {
    const blog = (await world.api('POST', '/api/v1/monitor', { url: 'https://old.example/' })).body;
    const document = {
      apiVersion: 'watchpost/v1',
      project: 'windows',
      maintenanceWindows: { night: { ...weekly, statusPages: [], scope: { monitors: [blog.id] } } },
    };
    await done('apply', document);
    expect((await windows())[0]!.scope.monitorIds).to.deep.equal([blog.id]);
    expect((await done('plan', document)).summary).to.include({ unchanged: 1 });
    const exported = (await world.api('GET', '/api/v1/config/export?project=windows')).body;
    expect(exported.maintenanceWindows.night.scope).to.deep.equal({ monitors: [blog.id] });
    await world.api('DELETE', `/api/v1/monitor/${blog.id}`);
    expect((await world.api('GET', '/api/v1/config/export')).body).not.to.have.property('maintenanceWindows');
  });

  it('have their faults with path and line', async () => {
    const { status, body } = await world.api('POST', '/api/v1/config/plan', {
      document: `apiVersion: watchpost/v1
project: shop
maintenanceWindows:
  one: { name: One, startsAt: now, duration: PT1H, scope: { all: true } }
  two: { name: Two, startsAt: 2027-01-03T02:00, duration: PT1M, scope: { monitors: [nowhere] } }
  three: { name: Three, startsAt: 2027-01-03T02:00, duration: PT1H, scope: { monitorIds: [], all: true } }
  four: { name: Four, startsAt: 2027-01-03T02:00, duration: PT1H, scope: { monitors: all, tags: ['!'] } }
`,
    });
    expect([status, body.error]).to.deep.equal([400, 'validation_failed']);
    const faults = Object.fromEntries(body.details.map(({ path, message }: Json) => [path, message]));
    expect(Object.keys(faults)).to.have.members([
      'maintenanceWindows.one.startsAt',
      'maintenanceWindows.two.scope.monitors.0',
      'maintenanceWindows.two.duration',
      'maintenanceWindows.three.scope.monitorIds',
      'maintenanceWindows.four.scope.monitors',
      'maintenanceWindows.four.scope.tags.0',
    ]);
    expect(faults['maintenanceWindows.two.scope.monitors.0']).to.match(/\(line 5, column \d+\)$/);
  });
});
