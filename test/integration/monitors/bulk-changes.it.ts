import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { readDeadlocks } from '../../support/read-deadlocks.js';
import { create, fillMonitors, makeWorld, nobodysId, seedIncident, seedMonitor } from '../../support/seed.js';
import { countQueries } from '../../support/query-count.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const BULK = '/api/v1/monitor/bulk';

describe('a bulk change of monitors', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  const bulk = async (body: object, of = world): Promise<Json> => create(of.api, BULK, body);
  const monitors = async (count: number, body: object = {}, of = world): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++)
      ids.push((await seedMonitor(of, { name: `Shop ${index}`, ...body })).id);
    return ids;
  };
  const list = async (query = '', of = world): Promise<Json[]> => {
    return (await of.api('GET', `/api/v1/monitor?pageSize=200&${query}`)).body;
  };
  const fill = async (count: number, tags: string[], like?: string) =>
    fillMonitors(app, like ?? (await seedMonitor(world)).id, count, tags);

  it('counts the open incidents that it closes, before it does', async () => {
    const monitorIds = await monitors(3);
    const incidentIds = [await seedIncident(world, monitorIds[0]!), await seedIncident(world, monitorIds[1]!)];
    await world.api('PATCH', `/api/v1/incident/${incidentIds[1]}`, { status: 'Resolved' });
    for (const action of ['pause', 'delete'])
      expect(await bulk({ monitorIds, action, dryRun: true })).to.include({ closedIncidents: 1 });
    expect(await bulk({ monitorIds, action: 'addTags', tags: ['x'] })).to.include({ closedIncidents: 0 });
    expect(await bulk({ monitorIds, action: 'pause' })).to.include({ closedIncidents: 1 });
    expect(await bulk({ monitorIds, action: 'delete', dryRun: true })).to.include({ closedIncidents: 0 });
  });

  it('pauses and resumes those that are named, and reports which it changed', async () => {
    const [first, second, third] = await monitors(3);
    await create(world.api, `/api/v1/monitor/${second}`, { monitoringStatus: 'disabled' }, 'PUT');
    const monitorIds = [third!, first!, second!];
    expect(await bulk({ monitorIds, action: 'pause', dryRun: true })).to.deep.equal({
      matched: 3,
      changed: 2,
      monitorIds: [first, third],
      closedIncidents: 0,
    });
    expect(await list('monitoringStatus=paused')).to.deep.equal([]);
    expect(await bulk({ monitorIds, action: 'pause' })).to.deep.equal({
      matched: 3,
      changed: 2,
      monitorIds: [first, third],
      closedIncidents: 0,
    });
    const none = { matched: 3, changed: 0, monitorIds: [], closedIncidents: 0 };
    expect(await bulk({ monitorIds, action: 'pause' })).to.deep.equal(none);
    expect((await list('monitoringStatus=paused')).map(({ id }) => id)).to.have.members([third, first]);
    app.clock.advance(60_000);
    const paused = await bulk({ filter: { state: 'paused' }, action: 'resume', dryRun: true });
    expect(paused, 'a disabled one is counted as paused').to.include({ matched: 3, changed: 2 });
    expect(await bulk({ filter: { monitoringStatus: 'paused' }, action: 'resume' })).to.include({ changed: 2 });
    const [resumed] = await list('monitoringStatus=enabled');
    expect(resumed.nextCheck, 'it is due at once').to.equal(new Date(app.clock.now()).toISOString());
    expect(await list('monitoringStatus=disabled')).to.have.length(1);
  });

  it('adds and removes tags of all that match a filter, with one entry in the audit log each', async () => {
    await monitors(2, { tags: ['Team:Web'] });
    await monitors(1, { tags: ['team:web', 'env:prod'] });
    await monitors(1);
    const added = await bulk({ filter: { tags: ['TEAM:WEB'] }, action: 'addTags', tags: ['env:prod', ' Checkout '] });
    expect(added).to.include({ matched: 3, changed: 3 });
    expect((await list('tag=checkout&tag=env:prod')).map(({ tags }) => tags)).to.deep.equal(
      Array.from({ length: 3 }, () => ['checkout', 'env:prod', 'team:web']),
    );
    expect((await world.api('GET', '/api/v1/tags')).body).to.deep.equal([
      { tag: 'checkout', monitorCount: 3 },
      { tag: 'env:prod', monitorCount: 3 },
      { tag: 'team:web', monitorCount: 3 },
    ]);
    const past = await world.api('GET', '/api/v1/tags?page=9&pageSize=2');
    expect([past.body, past.headers.get('x-total-count')]).to.deep.equal([[], '3']);
    app.clock.advance(1_000);
    await bulk({ filter: { search: 'SHOP', tags: ['checkout'] }, action: 'removeTags', tags: ['env:prod'] });
    const startDate = new Date(app.clock.now()).toISOString();
    const { body: audit } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?startDate=${startDate}`,
    );
    expect(audit.map(({ action, changes }: Json) => [action, changes])).to.deep.equal(
      Array.from({ length: 3 }, () => [
        'monitor.updated',
        { tags: { from: ['checkout', 'env:prod', 'team:web'], to: ['checkout', 'team:web'] } },
      ]),
    );
  });

  it('closes the open incidents of all that it deletes, once each', async () => {
    const ids = await monitors(3);
    const incidents = await Promise.all(ids.slice(0, 2).map((id) => seedIncident(world, id)));
    expect(await bulk({ monitorIds: ids, action: 'delete' })).to.include({ matched: 3, changed: 3 });
    expect(await list()).to.deep.equal([]);
    for (const incident of incidents) {
      const { body } = await world.api('GET', `/api/v1/incident/${incident}`);
      expect(body).to.include({ isClosed: true, status: 'Resolved' });
      expect(body.timeline.filter(({ type }: Json) => type === 'closed')).to.have.length(1);
    }
    const left = await app.sql(
      `SELECT 1 FROM series JOIN monitor ON key = monitor_key WHERE workspace_id = $1
       UNION ALL SELECT 1 FROM monitor_state WHERE workspace_id = $1`,
      [world.workspaceId],
    );
    expect(left).to.deep.equal([]);
    const again = await world.api('POST', BULK, { monitorIds: ids, action: 'delete' });
    expect(again.status).to.equal(404);
  });

  it('changes nothing where one of the monitors is of another workspace', async () => {
    const [own] = await monitors(1);
    const other = await makeWorld(app);
    const [foreign] = await monitors(1, { tags: ['x'] }, other);
    for (const action of ['pause', 'delete']) {
      const { status, body } = await world.api('POST', BULK, { monitorIds: [own, foreign], action });
      expect(status).to.equal(404);
      expect(body.details).to.deep.equal([{ path: 'monitorIds.1', message: 'is not a monitor of this workspace' }]);
    }
    expect(await bulk({ filter: { tags: ['x'] }, action: 'delete' })).to.include({ matched: 0, changed: 0 });
    expect((await list())[0].monitoringStatus).to.equal('enabled');
    expect((await list('', other))[0].monitoringStatus).to.equal('enabled');
    expect((await world.api('GET', '/api/v1/tags')).body).to.deep.equal([]);
  });

  it('is refused with all faults at once', async () => {
    const refused = async (body: object) => {
      const answer = await world.api('POST', BULK, body);
      expect(answer.status).to.equal(400);
      return answer.body.details.map(({ path }: Json) => path).toSorted();
    };
    expect(await refused({ filter: {}, action: 'addTags' })).to.deep.equal(['filter', 'tags']);
    expect(await refused({ action: 'explode', tags: ['a b'] })).to.include.members(['action', 'monitorIds', 'tags.0']);
    expect(
      await refused({ monitorIds: [], filter: { serviceGroupId: 'x' }, action: 'pause', tags: ['a'] }),
    ).to.include.members(['filter', 'filter.serviceGroupId', 'monitorIds', 'tags']);
    const alien = { tags: ['a'], settings: {}, maintenanceWindowId: nobodysId() };
    expect(await refused({ monitorIds: [nobodysId()], action: 'attachActionGroup', ...alien })).to.include.members([
      'actionGroupId',
      'maintenanceWindowId',
      'settings',
      'tags',
    ]);
    const many = Array.from({ length: 20 }, (_, index) => `tag-${index}`);
    const [one, two] = await monitors(2, { tags: many });
    expect(await refused({ monitorIds: [one, two], action: 'addTags', tags: ['more'] })).to.deep.equal([
      'tags',
      'tags',
    ]);
  });

  it('resumes all or none within the limit of the plan', async () => {
    const ids = await monitors(3, { monitoringStatus: 'paused' });
    await app.setPlan('Enterprise', { monitors: 2 }, world.owner);
    const { status, body } = await world.api('POST', BULK, { monitorIds: ids, action: 'resume' });
    expect([status, body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
    expect(body.details[0]).to.include({ path: 'action', value: 2 });
    expect(await list('monitoringStatus=enabled')).to.deep.equal([]);
    expect(await bulk({ monitorIds: ids.slice(1), action: 'resume' })).to.include({ changed: 2 });
  });

  it('pauses 500 within a second by a number of statements that does not grow, and refuses a filter of 501', async () => {
    await app.setPlan('Enterprise', { monitors: 1_000 }, world.owner);
    await fill(499, ['many']);
    await monitors(2, { tags: ['many', 'few'] });
    const over = await world.api('POST', BULK, { filter: { tags: ['many'] }, action: 'pause' });
    expect([over.status, over.body.details[0].path]).to.deep.equal([400, 'filter']);
    const one = (await list('tag=few'))[0].id;
    const few = await countQueries(() => bulk({ monitorIds: [one], action: 'pause' }));
    await bulk({ monitorIds: [one], action: 'delete' });
    const all = await countQueries(async () => {
      expect(await bulk({ filter: { tags: ['many'] }, action: 'pause' })).to.include({ matched: 500, changed: 500 });
    });
    expect(all).to.be.at.most(few + 2);
    for (const action of ['resume', 'delete'])
      expect(await bulk({ filter: { tags: ['many'] }, action })).to.include({ changed: 500 });
  });

  it('changes settings of all that match, with an entry in the audit log for each that it changes', async () => {
    const [first, second] = await monitors(2, { tags: ['web'] });
    const other = await seedMonitor(world, { tags: ['api'] });
    await create(world.api, `/api/v1/monitor/${first}`, { checkInterval: 'PT10M' }, 'PUT');
    const update = { filter: { tags: ['web'] }, action: 'update', settings: { checkInterval: 'PT10M' } };
    const former = [{ settings: { checkInterval: 'PT5M' }, monitorIds: [second] }];
    const changed = { matched: 2, changed: 1, monitorIds: [second], closedIncidents: 0, former };
    const intervals = async () => (await list('tag=web&sort=name')).map(({ checkInterval }) => checkInterval);
    expect(await bulk({ ...update, dryRun: true })).to.deep.equal(changed);
    expect(await intervals()).to.deep.equal(['PT10M', 'PT5M']);
    app.clock.advance(1_000);
    expect(await bulk(update)).to.deep.equal(changed);
    expect(await intervals()).to.deep.equal(['PT10M', 'PT10M']);
    expect((await world.api('GET', `/api/v1/monitor/${other.id}`)).body.checkInterval).to.equal('PT5M');
    const startDate = new Date(app.clock.now()).toISOString();
    const { body: audit } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?startDate=${startDate}`,
    );
    expect(audit.map(({ target, changes }: Json) => [target.id, changes])).to.deep.equal([
      [second, { checkInterval: { from: 'PT5M', to: 'PT10M' } }],
    ]);
    expect(await bulk(update)).to.include({ matched: 2, changed: 0 });
    for (const { monitorIds, settings } of former) await bulk({ monitorIds, action: 'update', settings });
    expect(await intervals()).to.deep.equal(['PT10M', 'PT5M']);
  });

  it('routes all to a team, and answers once what those had that were alike', async () => {
    const [first, second, third] = await monitors(3);
    const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    const other = await create(world.api, '/api/v1/teams', { name: 'Day watch' });
    await create(world.api, `/api/v1/monitor/${third}`, { teamId: other.id }, 'PUT');
    const update = { filter: { search: 'Shop' }, action: 'update', settings: { teamId: team.id } };
    const { former } = await bulk({ ...update, dryRun: true });
    expect(former).to.deep.equal([
      { settings: { teamId: null }, monitorIds: [first, second] },
      { settings: { teamId: other.id }, monitorIds: [third] },
    ]);
    expect((await bulk(update)).former).to.deep.equal(former);
    expect(new Set((await list()).map(({ teamId }) => teamId))).to.deep.equal(new Set([team.id]));
  });

  it('attaches an action group to all that match, which is notified of what is open, and takes it back', async () => {
    const group = await create(world.api, '/api/v1/action-groups/email', {
      name: 'Ops',
      recipients: [world.owner.email],
    });
    const [first, second] = await monitors(2, { tags: ['web'] });
    await seedMonitor(world);
    const attached = async () =>
      (await world.api('GET', `/api/v1/action-groups/${group.id}/monitors`)).body.map(
        ({ monitorId }: Json) => monitorId,
      );
    await create(world.api, `/api/v1/action-groups/${group.id}/monitors/${first}`);
    await seedIncident(world, second!);
    const change = { filter: { tags: ['web'] }, action: 'attachActionGroup', actionGroupId: group.id };
    const done = { matched: 2, changed: 1, monitorIds: [second], closedIncidents: 0 };
    expect(await bulk({ ...change, dryRun: true })).to.deep.equal(done);
    expect(await attached()).to.deep.equal([first]);
    app.clock.advance(1_000);
    expect(await bulk(change)).to.deep.equal(done);
    expect(await attached()).to.have.members([first, second]);
    const { body: audit } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?action=action_group.attached`,
    );
    expect(audit[0]).to.deep.include({ changes: { monitorId: { from: null, to: second } } });
    await app.plane.delivery.runDue();
    const { body: deliveries } = await world.api('GET', `/api/v1/deliveries?actionGroupId=${group.id}`);
    expect(deliveries.map(({ eventType }: Json) => eventType)).to.deep.equal(['incident.opened']);
    const back = { monitorIds: done.monitorIds, action: 'detachActionGroup', actionGroupId: group.id };
    expect(await bulk(back)).to.deep.equal({ ...done, matched: 1 });
    expect(await attached()).to.deep.equal([first]);
    await create(world.api, `/api/v1/action-groups/email/${group.id}`, { attachTo: { tags: ['web'] } }, 'PUT');
    for (const dryRun of [true, false]) {
      const { status, body } = await world.api('POST', BULK, { ...back, monitorIds: [first, second], dryRun });
      expect([status, body.details]).to.deep.equal([
        400,
        [
          {
            path: 'actionGroupId',
            message: 'stays attached to 2 of the monitors by its `attachTo`: change it, or the tags of the monitors',
          },
        ],
      ]);
    }
  });

  it('covers all that match by a maintenance window, at once where it runs, and takes them out again', async () => {
    const [first, second] = await monitors(2, { tags: ['web'] });
    const window = await create(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploys',
      startsAt: 'now',
      duration: 'PT1H',
      scope: { monitorIds: [first] },
    });
    const covered = async () =>
      (await list('tag=web&sort=name')).map(({ maintenance }) => maintenance?.windowId ?? null);
    expect(await covered()).to.have.members([window.id, null]);
    const change = { filter: { tags: ['web'] }, action: 'addToMaintenance', maintenanceWindowId: window.id };
    const done = { matched: 2, changed: 1, monitorIds: [second], closedIncidents: 0 };
    expect(await bulk({ ...change, dryRun: true })).to.deep.equal(done);
    expect(await covered()).to.have.members([window.id, null]);
    expect(await bulk(change)).to.deep.equal(done);
    expect(await covered()).to.deep.equal([window.id, window.id]);
    const { body: audit } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?action=maintenance_window.updated`,
    );
    expect(audit).to.have.length(1);
    const back = { monitorIds: [second], action: 'removeFromMaintenance', maintenanceWindowId: window.id };
    expect(await bulk(back)).to.deep.equal({ ...done, matched: 1 });
    expect(await covered()).to.have.members([window.id, null]);
    const none = await world.api('POST', BULK, { ...back, monitorIds: [first] });
    expect([none.status, none.body.details[0].path]).to.deep.equal([400, 'maintenanceWindowId']);
    await app.setPlan('Enterprise', { monitors: 1_000 }, world.owner);
    await fill(500, ['many']);
    const over = await world.api('POST', BULK, { ...change, filter: { tags: ['many'] } });
    expect([over.status, over.body.details[0].message]).to.deep.equal([
      400,
      'would name 501 monitors, and it can name 500: let it cover a tag that they have',
    ]);
  });

  it('reaches no action group, window or monitor of another workspace, and no group without a scope for alerts', async () => {
    const [own] = await monitors(1);
    const other = await makeWorld(app);
    const [foreign] = await monitors(1, {}, other);
    const email = { name: 'Ops', recipients: [other.owner.email] };
    const group = await create(other.api, '/api/v1/action-groups/email', email);
    const window = await create(other.api, '/api/v1/maintenance-windows', {
      name: 'Deploys',
      startsAt: 'now',
      duration: 'PT1H',
      scope: { all: true },
    });
    const moves = [
      { action: 'attachActionGroup', actionGroupId: group.id },
      { action: 'addToMaintenance', maintenanceWindowId: window.id },
    ];
    for (const move of moves)
      for (const dryRun of [true, false]) {
        expect(await world.api('POST', BULK, { ...move, dryRun, monitorIds: [own] })).to.include({ status: 404 });
        expect(await other.api('POST', BULK, { ...move, dryRun, monitorIds: [own] })).to.include({ status: 404 });
      }
    const change = { ...moves[0], monitorIds: [foreign] };
    const { status, body } = await other.as(other.owner, { scope: 'monitor.write' })('POST', BULK, change);
    expect([status, body.error]).to.deep.equal([403, 'insufficient_scope']);
    expect(await bulk(change, other)).to.include({ changed: 1 });
  });

  it('changes settings of all or none, and names the monitor that stops it', async () => {
    const monitorIds = await monitors(2);
    const group = await create(world.api, '/api/v1/service-group', { name: 'Checkout' });
    const refused = await world.api('POST', BULK, {
      monitorIds,
      action: 'update',
      settings: { serviceGroupId: group.id },
    });
    expect(refused).to.have.nested.property('body.error', 'monitor_type_conflict');
    const alone = await seedMonitor(world, {
      name: 'Database',
      url: 'tcp://db.example:5432',
      monitorTypes: ['TcpUdp'],
    });
    const fault = await world.api('POST', BULK, {
      monitorIds: [alone.id],
      action: 'update',
      settings: { serviceGroupId: group.id },
    });
    expect(fault.status).to.equal(400);
    expect(fault.body.details).to.deep.equal([
      {
        path: 'settings.serviceGroupId',
        message: 'must be null for TcpUdp, which joins no service group (Database)',
      },
    ]);
    for (const { serviceGroupId } of await list()) expect(serviceGroupId).to.equal(null);
  });

  it('previews more than it changes at once, so that all can be sent by 500', async () => {
    await fill(1_201, ['many']);
    const settings = { checkInterval: 'PT15M' };
    const change = { action: 'update', settings };
    const { monitorIds, former, ...preview } = await bulk({ ...change, filter: { tags: ['many'] }, dryRun: true });
    expect(former).to.deep.equal([{ settings: { checkInterval: 'PT5M' }, monitorIds }]);
    expect(preview).to.deep.equal({ matched: 1_201, changed: 1_201, closedIncidents: 0 });
    for (let from = 0; from < monitorIds.length; from += 500)
      await bulk({ ...change, monitorIds: monitorIds.slice(from, from + 500) });
    expect(await bulk({ ...change, filter: { tags: ['many'] }, dryRun: true })).to.include({ changed: 0 });
    await fill(3_800, ['many'], monitorIds[0]);
    const { status, body } = await world.api('POST', BULK, {
      ...change,
      filter: { tags: ['many'] },
      dryRun: true,
    });
    expect({ status, message: body.details[0].message }).to.deep.equal({
      status: 400,
      message: 'matches more than 5000 monitors: add a condition to it',
    });
  });

  it('made at the same time as others about the same monitors ends without deadlocks, one after the other', async () => {
    const ids = await monitors(12, { tags: ['a'] });
    await Promise.all(ids.map((id) => seedIncident(world, id)));
    const answers = await Promise.all([
      bulk({ monitorIds: ids, action: 'pause' }),
      bulk({ monitorIds: ids.toReversed(), action: 'pause' }),
      bulk({ filter: { tags: ['a'] }, action: 'addTags', tags: ['b'] }),
      bulk({ monitorIds: ids.toReversed(), action: 'addTags', tags: ['b', 'c'] }),
      ...ids.toReversed().map((id) => create(world.api, `/api/v1/monitor/${id}`, { name: 'Renamed' }, 'PUT')),
    ]);
    expect(answers[0]!.changed + answers[1]!.changed).to.equal(12);
    const after = await list();
    expect(new Set(after.map(({ tags }) => tags.join()))).to.deep.equal(new Set(['a,b,c']));
    expect(new Set(after.map(({ monitoringStatus, name }) => monitoringStatus + name))).to.deep.equal(
      new Set(['pausedRenamed']),
    );
    expect(await readDeadlocks({ database: app.db })).to.deep.equal([]);
  });
});
