import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { coverageMonitorListener, followWindows } from '@watchpost/control-plane/capabilities/maintenance/index';
import { LocalBus } from '@watchpost/control-plane/platform/coordination/bus';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { create, makeWorld, seedHeartbeat, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps } from '../results/seed.js';

describe('A monitor that joins or leaves a window that runs', () => {
  const app = appForSuite();
  let world: World;
  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app);
  });

  const open = (scope: object, more: object = {}): Promise<{ id: string }> =>
    create(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      startsAt: 'now',
      duration: 'PT30M',
      scope,
      ...more,
    });
  const coveredBy = async (id: string): Promise<string | null> =>
    (await world.api('GET', `/api/v1/monitor/${id}`)).body.maintenance?.windowId ?? null;
  const put = (id: string, body: object) => world.api('PUT', `/api/v1/monitor/${id}`, body);
  /** Fails at once; no periodic task has run since the monitor changed. @returns how many incidents it has */
  const fail = async (id: string): Promise<number> => {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    const dueMs = app.clock.now() + MINUTE_MS;
    app.clock.set(dueMs + 500);
    await ingestBatch({ ...resultsDeps(app.db), clock: app.clock }, agentIn('northeurope'), [
      resultOf(key, dueMs, DOWN),
    ]);
    return (await app.sql('SELECT FROM incident WHERE monitor_key = $1', [key])).length;
  };
  const soon = { checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
  const newGroup = async () => (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;

  it('opens an incident by its first failure where no window covers it', async () => {
    await open({ tags: ['web'] });
    const { id } = await seedMonitor(world, { ...soon, tags: ['mail'] });
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([null, 1]);
  });

  for (const scope of ['all', 'tags', 'serviceGroupIds'] as const)
    it(`is covered by ${scope} from its creation on`, async () => {
      const serviceGroupId = await newGroup();
      const window = await open({ [scope]: { all: true, tags: ['web'], serviceGroupIds: [serviceGroupId] }[scope] });
      const { id } = await seedMonitor(world, { ...soon, tags: ['web'], serviceGroupId });
      expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
    });

  it('is covered from its creation on as a heartbeat', async () => {
    const window = await open({ all: true });
    const { id } = await seedHeartbeat(world);
    expect(await coveredBy(id)).to.equal(window.id);
  });

  it('joins and leaves by its tags, singly and in bulk', async () => {
    const window = await open({ tags: ['web'] });
    const { id } = await seedMonitor(world, soon);
    expect(await coveredBy(id)).to.equal(null);
    await put(id, { tags: ['web'] });
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
    await put(id, { tags: [] });
    expect(await coveredBy(id)).to.equal(null);
    const bulk = (body: object) => world.api('POST', '/api/v1/monitor/bulk', { monitorIds: [id], ...body });
    expect((await bulk({ action: 'addTags', tags: ['web'] })).status).to.equal(200);
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
    expect((await bulk({ action: 'removeTags', tags: ['web'] })).status).to.equal(200);
    expect(await coveredBy(id)).to.equal(null);
  });

  it('joins by its service group, when it is put into it, moved to it and restored with it', async () => {
    const [covered, other] = [await newGroup(), await newGroup()];
    const window = await open({ serviceGroupIds: [covered] });
    const { id } = await seedMonitor(world, soon);
    await put(id, { serviceGroupId: covered });
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
    const move = (from: string, to: string) =>
      world.api('POST', `/api/v1/service-group/${from}/move-monitors`, { monitorIds: [id], targetServiceGroupId: to });
    expect((await move(covered, other)).status).to.equal(200);
    expect(await coveredBy(id)).to.equal(null);
    expect((await move(other, covered)).status).to.equal(200);
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
    await world.api('DELETE', `/api/v1/service-group/${covered}`);
    await create(world.api, `/api/v1/service-group/${covered}/restore`);
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
  });

  for (const how of ['deleted', 'ended'] as const)
    it(`is covered no longer than by a window that is ${how} while a transaction changes the monitor`, async () => {
      const window = await open({ tags: ['web'] });
      const { id } = await seedMonitor(world, soon);
      const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
      const deps = {
        db: app.db,
        clock: app.clock,
        bus: new LocalBus(),
        listeners: [],
        onCoverageChanged: () => Promise.resolve(),
      };
      const path = `/api/v1/maintenance-windows/${window.id}`;
      let ending: ReturnType<typeof world.api> | undefined;
      await app.db.transaction(async (tx) => {
        await tx.query("UPDATE monitor SET tags = '{web}' WHERE id = $1", [id]);
        await coverageMonitorListener(deps)(tx, [
          {
            kind: 'updated',
            monitorKey: key,
            monitorId: id,
            workspaceId: world.workspaceId,
            checksChanged: false,
          },
        ]);
        app.clock.advance(1_000);
        ending = how === 'deleted' ? world.api('DELETE', path) : world.api('POST', `${path}/end`);
        // Without the lock on the window it ends before the transaction does.
        await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 500))]);
      });
      expect((await ending!).status).to.be.below(300);
      app.clock.advance(MINUTE_MS);
      await followWindows(deps);
      expect(await coveredBy(id)).to.equal(null);
      const periods = await app.sql('SELECT ends FROM maintenance_period WHERE monitor_key = $1', [key]);
      expect(periods).to.deep.equal([{ ends: new Date(NOON + 1_000) }]);
    });

  it('is covered when it is resumed', async () => {
    const { id } = await seedMonitor(world, { ...soon, tags: ['web'], monitoringStatus: 'paused' });
    const window = await open({ tags: ['web'] });
    await put(id, { monitoringStatus: 'enabled' });
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
  });

  it('is covered by a document that makes it', async () => {
    const window = await open({ tags: ['web'] });
    const { status, body } = await world.api('POST', '/api/v1/config/apply', {
      document: {
        apiVersion: 'watchpost/v1',
        project: 'shop',
        monitors: { site: { url: 'https://shop.example', ...soon, tags: ['web'] } },
      },
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    const id = await app.value<string>('SELECT id FROM monitor WHERE workspace_id = $1', [world.workspaceId]);
    expect([await coveredBy(id), await fail(id)]).to.deep.equal([window.id, 0]);
  });

  it('is not checked from the moment on at which it joins a window that pauses checks', async () => {
    await open({ tags: ['web'] }, { checks: 'pause' });
    const { id } = await seedMonitor(world, { ...soon, tags: ['web'] });
    const held = async () => (await app.sql('SELECT checks_held FROM monitor WHERE id = $1', [id]))[0];
    expect(await held()).to.deep.equal({ checks_held: true });
    await put(id, { tags: [] });
    expect(await held()).to.deep.equal({ checks_held: false });
  });
});
