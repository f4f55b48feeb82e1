import { expect } from 'chai';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { listMonitors } from '@watchpost/control-plane/capabilities/monitors/index';
import { purgeMonitors } from '@watchpost/control-plane/capabilities/monitors/purge-monitors';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { deleteMonitor } from '@watchpost/control-plane/capabilities/monitors/delete-monitor';
import { getMonitor } from '@watchpost/control-plane/capabilities/monitors/get-monitor';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import { faultOf, monitorDeps, NOON, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';
import { databaseForSuite } from '../../support/suite.js';

describe('monitors in the database', () => {
  const test = databaseForSuite();
  let deps: TestMonitorDeps;
  let actor: Actor;

  beforeEach(async () => {
    deps = monitorDeps(test.database);
    actor = await seedActor(test.database);
  });

  const create = async (body: object = {}, as = actor) =>
    (await createMonitor(deps, as, schemas.create.parse({ url: URL_OF_SHOP, ...body }))).monitor;
  const update = async (id: string, body: object, as = actor) =>
    (await updateMonitor(deps, as, id, schemas.update.parse(body))).monitor;
  const read = async (id: string, as = actor) => (await getMonitor(deps, as, id)).monitor;
  const list = (filter: Parameters<typeof listMonitors>[2] = {}, page = { limit: 50, offset: 0 }) =>
    listMonitors(deps, actor, filter, page);

  it('come back as they were created, before any result', async () => {
    const created = await create({
      enabledRegions: ['EASTUS2'],
      checkInterval: 'PT60S',
      http: { headers: { Accept: 'text/html' } },
    });
    expect(await read(created.id)).to.deep.equal(created);
    expect(created).to.deep.include({
      name: 'shop.example',
      url: URL_OF_SHOP,
      workspaceId: actor.workspace.workspaceId,
      healthStatus: null,
      lastChecked: null,
      latestTestResult: null,
      latestIncident: null,
      sslStatus: null,
      checkInterval: 'PT1M',
      checkTimeout: 'PT30S',
      enabledRegions: ['eastus2'],
      planRestricted: [],
      created: '2026-11-21T12:00:00.000Z',
      lastModified: '2026-11-21T12:00:00.000Z',
      nextCheck: '2026-11-21T12:00:00.000Z',
    });
    expect(created.regions).to.deep.equal([
      { region: 'northeurope', status: 'awaitingFirstChecks', lastChecked: null },
      { region: 'eastus2', status: 'awaitingFirstChecks', lastChecked: null },
    ]);
  });

  it('call their listeners within the transaction, and notify the bus after it', async () => {
    const { id } = await create();
    await update(id, { name: 'Shop' });
    await update(id, { monitoringStatus: 'paused' });
    await update(id, { monitoringStatus: 'disabled' });
    await update(id, { monitoringStatus: 'enabled' });
    await update(id, { checkInterval: 'PT2M' });
    await update(id, { checkInterval: 'PT120S' });
    await deleteMonitor(deps, actor, id);
    expect(deps.changes.map(({ kind, checksChanged }) => `${kind} ${checksChanged}`)).to.deep.equal([
      'created true',
      'updated false',
      'stopped false',
      'updated false',
      'resumed true',
      'updated true',
      'deleted true',
    ]);
    expect(deps.changes.filter(({ isRename }) => isRename)).to.deep.equal([deps.changes[1]]);
    expect(deps.changes[0]).to.deep.include({ monitorId: id, workspaceId: actor.workspace.workspaceId });
    await new Promise(setImmediate);
    expect(deps.published).to.deep.equal(deps.changes.map(({ monitorKey }) => monitorKey));
  });

  it('are not there where a listener refuses', async () => {
    const refusing = { ...deps, listeners: [async () => Promise.reject(new Error('no'))] };
    expect(await faultOf(createMonitor(refusing, actor, { url: URL_OF_SHOP }))).to.contain('no');
    expect((await list()).total).to.equal(0);
  });

  it('change what is named, are checked at once where that matters, and write nothing where nothing changes', async () => {
    const created = await create({ http: { method: 'POST', body: 'x' } });
    deps.clock.advance(60_000);
    expect(await update(created.id, { name: created.name, http: { method: 'POST' } })).to.deep.include({
      lastModified: created.lastModified,
    });
    const renamed = await update(created.id, { name: 'Shop' });
    expect(renamed).to.deep.include({ name: 'Shop', lastModified: '2026-11-21T12:01:00.000Z', http: created.http });
    expect(renamed.nextCheck).to.not.equal('2026-11-21T12:01:00.000Z');
    const moved = await update(created.id, { url: 'https://shop.example/other' });
    // in the same millisecond: still a state, and a due time, of its own
    expect(moved.lastModified).to.equal('2026-11-21T12:01:00.001Z');
    expect(moved.nextCheck).to.equal('2026-11-21T12:01:00.000Z');
    expect((await update(created.id, { monitoringStatus: 'paused' })).nextCheck).to.equal(null);
  });

  it('change nothing where what was read is sent back', async () => {
    const created = await create({
      monitorTypes: ['Latency', 'HttpAvailability'],
      enabledRegions: ['japaneast', 'eastus2'],
      checkTimeout: 'PT45S',
      http: {
        method: 'PUT',
        body: '',
        headers: { Cookie: 'a=1', Accept: 'b' },
        expectedStatusCodes: ['500-599', 200],
        keyword: 'x',
      },
      reporting: { weeklyReport: true },
    });
    const writable = Object.keys(schemas.update.shape) as (keyof typeof created)[];
    const read = Object.fromEntries(writable.map((name) => [name, created[name]]));
    deps.clock.advance(60_000);
    expect(await update(created.id, read)).to.deep.include({ ...read, lastModified: created.lastModified });
    expect(deps.changes.map(({ kind }) => kind)).to.deep.equal(['created']);
  });

  it('have the site of their URL and the owner of their workspace written beside them, from the beginning', async () => {
    const { id } = await create({ url: 'https://www.shop.co.uk/cart' });
    const written = () => test.sql('SELECT site, owner_id AS owner FROM monitor WHERE id = $1', [id]);
    expect(await written()).to.deep.equal([{ site: 'shop.co.uk', owner: actor.caller.userId }]);
    await update(id, { url: 'https://1.1.1.1/' });
    expect(await written()).to.deep.equal([{ site: '1.1.1.1', owner: actor.caller.userId }]);
    const heir = await seedActor(test.database);
    await test.sql('UPDATE workspace SET owner_id = $2 WHERE id = $1', [
      actor.workspace.workspaceId,
      heir.caller.userId,
    ]);
    expect(await written()).to.deep.equal([{ site: '1.1.1.1', owner: heir.caller.userId }]);
  });

  it('keep every one of many changes made at once', async () => {
    const { id } = await create();
    const changes = [
      { name: 'Shop' },
      { checkInterval: 'PT2M' },
      { http: { keyword: 'x' } },
      { http: { method: 'POST' } },
      { reporting: { dailyReport: true } },
      { enabledRegions: ['eastus2'] },
      { numberOfChecksBeforeAlert: 4 },
      { latency: { thresholdMs: 9 } },
    ];
    await Promise.all(changes.map((change) => update(id, change)));
    const monitor = await read(id);
    expect(monitor).to.deep.include({
      name: 'Shop',
      checkInterval: 'PT2M',
      enabledRegions: ['eastus2'],
      numberOfChecksBeforeAlert: 4,
    });
    expect([
      monitor.http.keyword,
      monitor.http.method,
      monitor.reporting.dailyReport,
      monitor.latency.thresholdMs,
    ]).to.deep.equal(['x', 'POST', true, 9]);
  });

  it('never show or store a secret header in the clear', async () => {
    const created = await create({ http: { headers: { Authorization: 'Bearer top-secret', Accept: 'a' } } });
    expect(created.http.headers).to.deep.equal({ Authorization: '***', Accept: 'a' });
    const kept = await update(created.id, { http: { headers: { authorization: '***' } } });
    expect(kept.http.headers).to.deep.equal({ authorization: '***' });
    const [row] = await test.sql<{ text: string; sealed: Buffer }>(
      'SELECT monitor::text AS text, secrets AS sealed FROM monitor WHERE id = $1',
      [created.id],
    );
    expect(row!.text).to.not.contain('top-secret');
    expect(row!.sealed.toString('latin1')).to.not.contain('top-secret');
    expect(deps.secretBox.open(row!.sealed, created.id).toString()).to.equal(
      '{"http.headers":{"authorization":"Bearer top-secret"}}',
    );
    await update(created.id, { http: { headers: {} } });
    expect(await faultOf(update(created.id, { http: { headers: { Authorization: '***' } } }))).to.equal(
      'validation_failed',
    );
  });

  it('cannot be put into a service group that is not there', async () => {
    expect(await faultOf(create({ serviceGroupId: newId(NOON) }))).to.equal('not_found');
    const { id } = await create();
    expect(await faultOf(update(id, { serviceGroupId: newId(NOON) }))).to.equal('not_found');
    expect((await update(id, { serviceGroupId: null })).serviceGroupId).to.equal(null);
  });

  it('live in their own workspace and nowhere else', async () => {
    const stranger = await seedActor(test.database);
    const { id } = await create();
    expect(await faultOf(read(id, stranger))).to.equal('not_found');
    expect(await faultOf(update(id, { name: 'x' }, stranger))).to.equal('not_found');
    expect(await faultOf(deleteMonitor(deps, stranger, id))).to.equal('not_found');
    expect((await listMonitors(deps, stranger, {}, { limit: 10, offset: 0 })).total).to.equal(0);
  });

  it('are gone after a delete, once; what is left is a tombstone without secrets, for seven days', async () => {
    const { id } = await create({ http: { headers: { Cookie: 'a=1' } } });
    await deleteMonitor(deps, actor, id);
    expect(await faultOf(deleteMonitor(deps, actor, id))).to.equal('not_found');
    expect(await faultOf(read(id))).to.equal('not_found');
    expect(await faultOf(update(id, { name: 'x' }))).to.equal('not_found');
    expect((await list()).items).to.deep.equal([]);
    const rows = () => test.sql('SELECT secrets FROM monitor WHERE id = $1', [id]);
    expect(await rows()).to.deep.equal([{ secrets: null }]);
    const [tombstone] = await test.sql('SELECT revision FROM monitor WHERE id = $1', [id]);
    deps.clock.advance(7 * DAY_MS - 1);
    await purgeMonitors(deps);
    expect(await rows()).to.have.length(1);
    deps.clock.advance(2);
    expect(await purgeMonitors(deps)).to.be.at.least(1);
    expect(await rows()).to.have.length(0);
    const [purged] = await test.sql('SELECT revision FROM purged_revision');
    expect(purged, 'an agent that has an older one may still have its checks').to.deep.equal(tombstone);
    expect(await purgeMonitors(deps)).to.equal(0);
  });

  it('are changed only by callers that know their current configuration', async () => {
    const { id } = await create();
    const before = (await getMonitor(deps, actor, id)).configuration;
    const unchanged = (configuration: unknown) => expect(configuration).to.deep.equal(before);
    await updateMonitor(deps, actor, id, { name: 'Shop' }, unchanged);
    const stale = () => {
      throw new Fault('precondition_failed', 'It has changed.');
    };
    expect(await faultOf(updateMonitor(deps, actor, id, { name: 'Late' }, stale))).to.equal('precondition_failed');
    expect(await faultOf(deleteMonitor(deps, actor, id, stale))).to.equal('precondition_failed');
    expect(await read(id)).to.deep.include({ name: 'Shop' });
    expect((await getMonitor(deps, actor, id)).configuration.lastModified).to.not.equal(before.lastModified);
  });

  it('come newest first, by page, and by what is asked for', async () => {
    const ids: string[] = [];
    for (const name of ['Alpha', 'Beta_100%', 'gamma', 'Delta', 'Epsilon']) {
      deps.clock.advance(1_000);
      ids.unshift((await create({ name, url: `https://${name.slice(0, 4).toLowerCase()}.example/` })).id);
    }
    await update(ids[0]!, { monitoringStatus: 'paused' });
    const got = await list({}, { limit: 2, offset: 2 });
    expect(got.items.map(({ id }) => id)).to.deep.equal(ids.slice(2, 4));
    expect(got.total).to.equal(5);
    const names = async (filter: Parameters<typeof list>[0]) => (await list(filter)).items.map(({ name }) => name);
    expect(await names({ monitoringStatus: 'paused' })).to.deep.equal(['Epsilon']);
    expect(await names({ status: 'available' })).to.deep.equal([]);
    expect(await names({ name: 'GAM' })).to.deep.equal(['gamma']);
    expect(await names({ name: '%' })).to.deep.equal(['Beta_100%']);
    expect(await names({ search: 'alph.ex' })).to.deep.equal(['Alpha']);
    expect(await names({ name: 'alph.ex' })).to.deep.equal([]);
    expect((await list({}, { limit: 2, offset: 100 })).total).to.equal(5);
  });

  it('stop with their workspace, however it is deleted', async () => {
    const { id } = await create({ http: { headers: { Cookie: 'a=1' } } });
    await test.sql('DELETE FROM workspace WHERE id = $1', [actor.workspace.workspaceId]);
    const [row] = await test.sql<{ dead: boolean }>(
      'SELECT deleted_at IS NOT NULL AND secrets IS NULL AS dead FROM monitor WHERE id = $1',
      [id],
    );
    expect(row).to.deep.equal({ dead: true });
  });
});
