import { expect } from 'chai';
import type { Fault } from '@watchpost/shared/fault';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { deleteMonitor } from '@watchpost/control-plane/capabilities/monitors/delete-monitor';
import { getMonitor } from '@watchpost/control-plane/capabilities/monitors/get-monitor';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { faultOf, monitorDeps, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';
import { databaseForSuite } from '../../support/suite.js';

describe('monitors and plans', () => {
  const test = databaseForSuite({ poolSize: 20 });
  let deps: TestMonitorDeps;

  beforeEach(() => {
    deps = monitorDeps(test.database);
  });

  const create = (actor: Actor, body: object = {}) =>
    createMonitor(deps, actor, schemas.create.parse({ url: URL_OF_SHOP, ...body }));
  const setPlan = (actor: Actor, plan: string) =>
    test.sql('UPDATE user_account SET plan = $2 WHERE id = $1', [actor.workspace.ownerId, plan]);

  it('stop at the limit, over all workspaces of the owner, paused ones counted and deleted ones not', async () => {
    const first = await seedActor(test.database, { limits: { monitors: 2 } });
    const second = await seedActor(test.database, { ownerId: first.workspace.ownerId });
    await create(first, { monitoringStatus: 'paused' });
    const { monitor } = await create(second);
    expect(await faultOf(create(first))).to.equal('plan_limit_exceeded');
    expect(await faultOf(create(second))).to.equal('plan_limit_exceeded');
    await deleteMonitor(deps, second, monitor.id);
    await create(first);
  });

  it('never pass the limit together, in whichever workspaces they are created at once', async () => {
    const first = await seedActor(test.database, { limits: { monitors: 5 } });
    const second = await seedActor(test.database, { ownerId: first.workspace.ownerId });
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, index) => faultOf(create(index % 2 === 0 ? first : second))),
    );
    expect(outcomes.filter((code) => code === undefined)).to.have.length(5);
    expect(outcomes.filter((code) => code === 'plan_limit_exceeded')).to.have.length(11);
  });

  it('need a plan that has their types, regions and timeout', async () => {
    const starter = await seedActor(test.database, { plan: 'Starter' });
    expect(await faultOf(create(starter, { monitorTypes: ['Latency'] }))).to.equal('feature_not_in_plan');
    expect(await faultOf(create(starter, { checkTimeout: 'PT30S' }))).to.equal('feature_not_in_plan');
    expect(await faultOf(create(starter, { enabledRegions: ['eastus2'] }))).to.equal('plan_limit_exceeded');
    const { monitor } = await create(starter, { checkTimeout: null });
    for (const body of [{ checkTimeout: 'PT10S' }, { monitorTypes: ['HttpAvailability', 'Latency'] }]) {
      expect(await faultOf(updateMonitor(deps, starter, monitor.id, schemas.update.parse(body)))).to.equal(
        'feature_not_in_plan',
      );
    }
    const growth = await seedActor(test.database);
    await create(growth, {
      checkTimeout: 'PT60S',
      checkInterval: 'PT1M',
      monitorTypes: ['Latency'],
      enabledRegions: ['eastus2', 'japaneast'],
    });
    expect(await faultOf(create(growth, { enabledRegions: ['eastus2', 'japaneast', 'westus3'] }))).to.equal(
      'plan_limit_exceeded',
    );
  });

  it('keep settings that a smaller plan does not cover, and show that', async () => {
    const actor = await seedActor(test.database);
    const { monitor } = await create(actor, {
      monitorTypes: ['HttpAvailability', 'Latency'],
      checkTimeout: 'PT10S',
      enabledRegions: ['eastus2'],
    });
    await setPlan(actor, 'Starter');
    const now = (await getMonitor(deps, actor, monitor.id)).monitor;
    expect(now).to.deep.include({
      monitorTypes: ['HttpAvailability', 'Latency'],
      checkTimeout: 'PT10S',
      enabledRegions: ['eastus2'],
      planRestricted: ['Latency', 'eastus2', 'checkTimeout'],
    });
    expect(now.regions.map(({ region }) => region)).to.deep.equal(['northeurope']);
    const renamed = await updateMonitor(deps, actor, monitor.id, schemas.update.parse({ name: 'Store' }));
    expect(renamed.monitor).to.deep.include({ name: 'Store', planRestricted: now.planRestricted });
  });

  it('refuse an update that repeats what a smaller plan does not cover, and name what would be accepted', async () => {
    const actor = await seedActor(test.database);
    const { monitor } = await create(actor, {
      monitorTypes: ['HttpAvailability', 'Latency'],
      checkTimeout: 'PT10S',
      enabledRegions: ['eastus2', 'japaneast'],
    });
    await setPlan(actor, 'Starter');
    const update = (body: object) => updateMonitor(deps, actor, monitor.id, schemas.update.parse(body));
    const { monitorTypes, checkTimeout, enabledRegions } = (await getMonitor(deps, actor, monitor.id)).monitor;
    const fault = await update({ name: 'Store', monitorTypes, checkTimeout, enabledRegions }).then(
      () => expect.fail('the update was accepted'),
      (error: unknown) => error as Fault,
    );
    expect(fault.code).to.equal('feature_not_in_plan');
    expect(fault.details.map(({ message: _, ...detail }) => detail)).to.deep.equal([
      { path: 'monitorTypes', feature: 'monitorType', plan: 'Growth', accepted: ['HttpAvailability'] },
      { path: 'checkTimeout', feature: 'customTimeout', plan: 'Growth', accepted: 'PT30S' },
      { path: 'enabledRegions', limit: 'extraRegions', value: 0, plan: 'Growth', accepted: [] },
    ]);
    expect(fault.message).to.contain('The plan Starter has no extra regions per monitor; Growth has more.');
    const remedy = Object.fromEntries(fault.details.map(({ path, accepted }) => [path, accepted]));
    expect((await update(remedy)).monitor).to.deep.include({ ...remedy, planRestricted: [] });
  });

  it('refuse a shorter list of regions that is still over the limit, and accept one within it', async () => {
    const actor = await seedActor(test.database, { plan: 'Pro' });
    const regions = ['eastus2', 'japaneast', 'westus3', 'centralindia'];
    const { monitor } = await create(actor, { enabledRegions: regions });
    await setPlan(actor, 'Growth');
    const update = (enabledRegions: string[]) =>
      updateMonitor(deps, actor, monitor.id, schemas.update.parse({ enabledRegions }));
    for (const tooMany of [regions, regions.slice(1)]) {
      expect(await faultOf(update(tooMany))).to.equal('plan_limit_exceeded');
    }
    expect((await update(regions.slice(2))).monitor).to.deep.include({ planRestricted: [] });
  });
});
