import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { countQueries } from '../../support/query-count.js';
import { create } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

describe('A document of many monitors', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Enterprise');

  const send = (verb: 'plan' | 'apply', monitors: object, more: object = {}) => {
    const document = { apiVersion: 'watchpost/v1', project: 'many', monitors, ...more };
    return world.api('POST', `/api/v1/config/${verb}`, { document });
  };
  async function applied(monitors: object, more: object = {}): Promise<Json> {
    const { status, body } = await send('apply', monitors, more);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const monitorsOf = (count: number, more: object = {}) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`m${at}`, { name: `M${at}`, url: `https://m${at}.example/`, ...more }]),
    );
  const list = async () => (await world.api('GET', '/api/v1/monitor?pageSize=200')).body as Json[];
  const faultsOf = ({ status, body }: Json) => [status, body.details.map(({ path }: Json) => path)];

  it('is planned and applied by as many statements as one of few', async () => {
    const few = await countQueries(() => send('plan', monitorsOf(10)));
    const many = await countQueries(() => send('plan', monitorsOf(60)));
    expect(many).to.be.at.most(few + 5);
    await applied(monitorsOf(60));
    const changed = (count: number) => ({ ...monitorsOf(60), ...monitorsOf(count, { tags: ['changed'] }) });
    const fewChanged = await countQueries(() => send('plan', changed(10)));
    const manyChanged = await countQueries(() => send('plan', changed(60)));
    expect(manyChanged).to.be.at.most(fewChanged + 5);
  });

  it('is refused for one fault by few statements more, with that fault alone', async () => {
    const many = monitorsOf(60);
    const needed = await countQueries(() => send('plan', many));
    const document = { ...many, m41: { ...many['m41'], dependsOn: [world.workspaceId] } };
    let refused: Json;
    const tried = await countQueries(async () => (refused = await send('plan', document)));
    expect(faultsOf(refused)).to.deep.equal([400, ['monitors.m41.dependsOn.0']]);
    // It is found by halving: 7 attempts fail, and 6 parts beside them succeed.
    expect(tried).to.be.at.most(7 * needed);
  });

  it('creates them in its order, checked, announced and with one audit entry each', async () => {
    const { changes } = await applied(monitorsOf(30), { serviceGroups: {} });
    const ids = changes.map(({ id }: Json) => id);
    expect((await list()).map(({ id }) => id).toReversed()).to.deep.equal(ids);
    const { body: entries } = await world.api(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?pageSize=200&action=monitor.created`,
    );
    expect(entries.map(({ target }: Json) => target.id)).to.have.members(ids);
    const series = await app.sql(
      'SELECT count(DISTINCT series.monitor_key)::int AS count FROM series JOIN monitor ON key = monitor_key WHERE workspace_id = $1',
      [world.workspaceId],
    );
    expect(series).to.deep.equal([{ count: 30 }]);
  });

  it('names the monitors beyond the limit of the plan, and no others', async () => {
    await app.sql(
      `UPDATE user_account SET plan_limits = '{"monitors": 3}' WHERE id = (SELECT owner_id FROM workspace WHERE id = $1)`,
      [world.workspaceId],
    );
    const refused = await send('apply', monitorsOf(5));
    expect(refused.body.error).to.equal('plan_limit_exceeded');
    expect(refused.body.details.map(({ path }: Json) => path)).to.deep.equal(['monitors.m3', 'monitors.m4']);
    expect(await list()).to.deep.equal([]);
  });

  it('names the monitor whose type another one in its group has, and not the other one', async () => {
    const serviceGroups = { g: { name: 'G' } };
    const refused = await send('apply', monitorsOf(2, { serviceGroup: 'g' }), { serviceGroups });
    expect(refused.body.error).to.equal('monitor_type_conflict');
    expect(faultsOf(refused)).to.deep.equal([409, ['monitors.m1.serviceGroup']]);
  });

  it('lets monitors of a group exchange their types', async () => {
    const serviceGroups = { g: { name: 'G' } };
    const pair = (one: string, other: string) => ({
      one: { url: 'https://shop.example/', serviceGroup: 'g', monitorTypes: [one] },
      other: { url: 'https://shop.example/', serviceGroup: 'g', monitorTypes: [other] },
    });
    await applied(pair('HttpAvailability', 'Latency'), { serviceGroups });
    const { summary } = await applied(pair('Latency', 'HttpAvailability'), { serviceGroups });
    expect(summary).to.include({ update: 2 });
    const refused = await send('apply', pair('Latency', 'Latency'), { serviceGroups });
    expect(faultsOf(refused)).to.deep.equal([409, ['monitors.other.monitorTypes']]);
  });

  it('closes no circle of dependencies by several changes together', async () => {
    const { changes } = await applied(monitorsOf(2));
    const between = await create(world.api, '/api/v1/monitor', {
      url: 'https://between.example/',
      dependsOn: [changes[1].id],
    });
    const refused = await send('apply', {
      m0: { name: 'M0', url: 'https://m0.example/', dependsOn: [between.id] },
      m1: { name: 'M1', url: 'https://m1.example/', dependsOn: ['m0'] },
    });
    expect(faultsOf(refused)).to.deep.equal([400, ['monitors.m1.dependsOn.0']]);
    expect(refused.body.details[0].message).to.include('closes a circle');
  });

  it('names the heartbeat whose imported token leads to another monitor, and not those before it', async () => {
    const heartbeat = { monitorTypes: ['Heartbeat'], heartbeat: { every: 'PT1H', importedToken: 'a'.repeat(32) } };
    const refused = await send('apply', {
      first: { name: 'First', ...heartbeat },
      second: { name: 'Second', ...heartbeat },
    });
    expect(faultsOf(refused)).to.deep.equal([400, ['monitors.second.heartbeat.importedToken']]);
    expect(await list()).to.deep.equal([]);
  });
});
