import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { purgeAudit } from '@watchpost/control-plane/capabilities/audit/index';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

describe('the audit log', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  async function audit(query = '', { api, workspaceId }: Pick<World, 'api' | 'workspaceId'> = world): Promise<Json[]> {
    const { status, body } = await api('GET', `/api/v1/workspaces/${workspaceId}/audit${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  it('names who changed which fields of what, when, by which way and in which request', async () => {
    const { id } = await seedMonitor(world);
    app.clock.advance(1_000);
    const editor = await world.member('Editor');
    await editor.api(
      'PUT',
      `/api/v1/monitor/${id}`,
      { checkInterval: 'PT10M', ssl: { incidentDays: 3 } },
      { 'x-request-id': 'change-1', 'user-agent': 'watchpost-cli/1.2.3' },
    );
    const { body: me } = await editor.api('GET', '/api/v1/user');
    const [changed, created] = await audit();
    expect(changed).to.deep.include({
      at: new Date(app.clock.now()).toISOString(),
      action: 'monitor.updated',
      actor: { type: 'user', id: editor.userId, name: me.name ?? me.email },
      via: 'cli',
      target: { type: 'monitor', id, name: 'Shop' },
      changes: { checkInterval: { from: 'PT5M', to: 'PT10M' }, 'ssl.incidentDays': { from: null, to: 3 } },
      requestId: 'change-1',
      remoteAddress: '127.0.0.1',
    });
    expect(created).to.deep.include({ action: 'monitor.created', via: 'rest' });
    expect(created.changes.url).to.deep.equal({ from: null, to: 'https://shop.example/' });
    expect(created.changes).not.to.have.any.keys('id', 'workspaceId', 'created', 'healthStatus');
  });

  it('has no entry of a change that changes nothing and none of a refused one', async () => {
    const { id } = await seedMonitor(world);
    const before = await audit();
    const same = await world.api('PUT', `/api/v1/monitor/${id}`, { name: 'Shop', checkInterval: 'PT300S' });
    const refused = await world.api('PUT', `/api/v1/monitor/${id}`, { name: '' });
    const outdated = await world.api('PUT', `/api/v1/monitor/${id}`, { name: 'X' }, { 'if-match': '"other"' });
    const viewer = await world.member('Viewer');
    const forbidden = await viewer.api('PUT', `/api/v1/monitor/${id}`, { name: 'X' });
    expect([same, refused, outdated, forbidden].map(({ status }) => status)).to.deep.equal([200, 400, 412, 403]);
    expect(await audit()).to.deep.equal(before);
  });

  it('shows a secret as a mask, and on both sides where only the secret changed', async () => {
    const headers = (secret: string) => ({ http: { headers: { authorization: secret, 'x-team': 'a' } } });
    const { id } = await seedMonitor(world, headers('Bearer first-secret'));
    app.clock.advance(1_000);
    await create(world.api, `/api/v1/monitor/${id}`, headers('Bearer second-secret'), 'PUT');
    const entries = await audit();
    expect(entries[0].changes).to.deep.equal({ 'http.headers.authorization': { from: '***', to: '***' } });
    expect(entries[1].changes['http.headers.authorization']).to.deep.equal({ from: null, to: '***' });
    expect(JSON.stringify(entries)).not.to.match(/first-secret|second-secret/);
    const rows = await app.sql('SELECT entry::text FROM audit_entry entry WHERE target_id = $1', [id]);
    expect(JSON.stringify(rows)).not.to.match(/first-secret|second-secret/);
  });

  it('has one entry for each object that a change of several moves, deletes or restores', async () => {
    const [shop, store] = await Promise.all(
      ['Shop', 'Store'].map(async (name) => (await create(world.api, '/api/v1/service-group', { name })).id),
    );
    const first = await seedMonitor(world, { name: 'A', serviceGroupId: shop });
    const second = await seedMonitor(world, { name: 'B', serviceGroupId: shop, monitorTypes: ['SslCertificate'] });
    app.clock.advance(1_000);
    const since = async (work: () => Promise<unknown>) => {
      app.clock.advance(1_000);
      const startDate = new Date(app.clock.now()).toISOString();
      await work();
      const entries = await audit(`?startDate=${startDate}`);
      return entries.map(({ action, target }) => `${action} ${target.name}`).toSorted();
    };
    const monitorIds = [first.id, second.id];
    expect(
      await since(() =>
        create(world.api, `/api/v1/service-group/${shop}/move-monitors`, {
          monitorIds,
          targetServiceGroupId: store,
          deleteSourceIfEmpty: true,
        }),
      ),
    ).to.deep.equal(['monitor.updated A', 'monitor.updated B', 'service_group.deleted Shop']);
    expect(await since(() => create(world.api, `/api/v1/service-group/${store}`, undefined, 'DELETE'))).to.deep.equal([
      'monitor.deleted A',
      'monitor.deleted B',
      'service_group.deleted Store',
    ]);
    expect(await since(() => create(world.api, `/api/v1/service-group/${store}/restore`))).to.deep.equal([
      'monitor.restored A',
      'monitor.restored B',
      'service_group.restored Store',
    ]);
  });

  it('is filtered by action, actor, target, type and time, and paged', async () => {
    const monitor = await seedMonitor(world);
    app.clock.advance(1_000);
    const startDate = new Date(app.clock.now()).toISOString();
    const editor = await world.member('Editor');
    await create(editor.api, '/api/v1/service-group', { name: 'Shop' });
    const actions = async (query: string) => (await audit(query)).map(({ action }) => action);
    expect(await actions('?action=monitor.created')).to.deep.equal(['monitor.created']);
    expect(await actions('?targetType=service_group')).to.deep.equal(['service_group.created']);
    expect(await actions('?targetType=service_group&action=monitor.created')).to.deep.equal([]);
    expect(await actions(`?targetId=${monitor.id}`)).to.deep.equal(['monitor.created']);
    expect(await actions(`?actorId=${editor.userId}`)).to.deep.equal(['service_group.created']);
    expect(await actions(`?startDate=${startDate}`)).to.deep.equal(['service_group.created']);
    expect(await actions(`?endDate=${startDate}`)).to.deep.equal(['monitor.created']);
    const path = `/api/v1/workspaces/${world.workspaceId}/audit`;
    const page = await world.api('GET', `${path}?pageSize=1&page=2`);
    expect(page.headers.get('x-total-count')).to.equal('2');
    expect(page.headers.get('link')).to.contain('rel="prev"');
    expect(page.body).to.have.length(1);
    for (const query of ['?action=monitor.exploded', '?targetType=planet', '?actorId=x', '?startDate=now'])
      expect((await world.api('GET', path + query)).status, query).to.equal(400);
  });

  it('is open to Admins of the workspace and to nobody else', async () => {
    await seedMonitor(world);
    const other = await makeWorld(app);
    await seedMonitor(other);
    const path = `/api/v1/workspaces/${world.workspaceId}/audit`;
    expect((await (await world.member('Admin')).api('GET', path)).status).to.equal(200);
    expect((await (await world.member('Editor')).api('GET', path)).status).to.equal(403);
    expect((await other.api('GET', path)).status).to.equal(404);
    const [mine] = await audit();
    expect(await audit(`?targetId=${mine.target.id}`, other)).to.deep.equal([]);
    expect(await audit(`?actorId=${world.owner.userId}`, other)).to.deep.equal([]);
  });

  it('can be changed or deleted by no statement but the purge', async () => {
    await seedMonitor(world);
    const before = await audit();
    for (const statement of [
      `UPDATE audit_entry SET actor_id = NULL WHERE workspace_id = '${world.workspaceId}'`,
      `DELETE FROM audit_entry WHERE workspace_id = '${world.workspaceId}'`,
      'TRUNCATE audit_entry',
    ]) {
      const error = await app.sql(statement).then(
        () => null,
        (thrown: Error) => thrown,
      );
      expect(error?.message, statement).to.contain('append-only');
    }
    expect(await audit()).to.deep.equal(before);
  });

  it('keeps entries for 400 days', async () => {
    const clock = { now: () => app.clock.now() + days * DAY_MS };
    let days = 0;
    const left = async () => {
      const rows = await app.sql<{ action: string }>(
        'SELECT action FROM audit_entry WHERE workspace_id = $1 ORDER BY at, id',
        [world.workspaceId],
      );
      return rows.map(({ action }) => action);
    };
    await seedMonitor(world);
    app.clock.advance(DAY_MS);
    await seedMonitor(world);
    await purgeAudit({ db: app.db, clock });
    expect(await left()).to.have.length(2);
    days = 399.5;
    await purgeAudit({ db: app.db, clock });
    expect(await left()).to.have.length(1);
  });

  it('keeps the names that people had, and none once the account is deleted', async () => {
    const editor = await world.member('Editor');
    await create(editor.api, `/api/v1/user/${editor.userId}`, { name: 'Ann' }, 'PUT');
    await create(editor.api, '/api/v1/service-group', { name: 'First' });
    app.clock.advance(1_000);
    await create(editor.api, `/api/v1/user/${editor.userId}`, { name: 'Ann Other' }, 'PUT');
    await create(editor.api, '/api/v1/service-group', { name: 'Second' });
    const actors = async () => (await audit('?targetType=service_group')).map(({ actor }) => actor);
    expect((await actors()).map(({ name }) => name)).to.deep.equal(['Ann Other', 'Ann']);
    await create(editor.api, `/api/v1/user/${editor.userId}`, undefined, 'DELETE');
    const anonymous = { type: 'user', id: editor.userId, name: null };
    expect(await actors()).to.deep.equal([anonymous, anonymous]);
  });
});
