import { expect } from 'chai';
import { planListeners } from '@watchpost/control-plane/compose-owner-changes';
import { setPlan } from '@watchpost/control-plane/plans/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';

describe("What an owner's plan has room for", () => {
  let app: TestApp;
  let world: World;

  before(async () => {
    app = await startTestApp();
  });
  after(() => app.stop());
  beforeEach(async () => {
    world = await makeWorld(app);
  });

  const makeGroup = async (name: string) => {
    app.clock.advance(1_000);
    return create(world.api, '/api/v1/action-groups/email', { name, recipients: ['ops@example.test'] });
  };
  const enabled = async () => {
    const { body } = await world.api('GET', '/api/v1/action-groups');
    return Object.fromEntries(body.map((group: { name: string; isEnabled: boolean }) => [group.name, group.isEnabled]));
  };
  const downgrade = (limits: Record<string, number>) =>
    setPlan(
      { db: app.db, clock: app.clock, planListeners: planListeners({ clock: app.clock }) },
      { email: world.owner.email, plan: 'Growth', limits },
    );

  it('is counted over all workspaces of the owner, and shown in each', async () => {
    const personal = app.as(world.owner.sub, { workspaceId: world.owner.workspaceId });
    await seedMonitor(world, { enabledRegions: ['eastus2', 'japaneast'] });
    await seedMonitor({ api: personal });
    await makeGroup('one');
    await create(world.api, '/api/v1/teams', { name: 'Web' });
    await create(personal, '/api/v1/action-groups/webhook', { name: 'two', url: 'https://hooks.example.test/' });
    await create(personal, '/api/v1/action-groups/slack', {
      name: 'three',
      webhookUrl: 'https://hooks.slack.com/services/T0/B0/abcdefgh',
    });
    const { body: workspaces } = await world.api('GET', '/api/v1/workspaces');
    expect(workspaces).to.have.length(2);
    for (const { usage } of workspaces) {
      expect(usage).to.deep.equal({
        monitors: 2,
        extraRegions: 2,
        emailGroups: 1,
        slackGroups: 1,
        msTeamsGroups: 0,
        smsGroups: 0,
        webhookGroups: 1,
        teams: 1,
      });
    }
  });

  it('disables the newest action groups of a channel where it becomes smaller, and keeps them', async () => {
    for (const name of ['first', 'second', 'third', 'fourth']) await makeGroup(name);
    await downgrade({ emailGroups: 2 });
    expect(await enabled()).to.deep.equal({ first: true, second: true, third: false, fourth: false });
  });

  it('is not overrun by enabling them again, however many do so at once', async () => {
    const groups = [await makeGroup('first'), await makeGroup('second'), await makeGroup('third')];
    await downgrade({ emailGroups: 1 });
    const set = (index: number, isEnabled: boolean) =>
      world.api('PUT', `/api/v1/action-groups/email/${groups[index]!.id}`, { isEnabled });
    const refused = await set(2, true);
    expect([refused.status, refused.body.error, refused.body.details[0].path]).to.deep.equal([
      403,
      'plan_limit_exceeded',
      'isEnabled',
    ]);
    await set(0, false);
    const answers = await Promise.all([set(1, true), set(2, true)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 403]);
    expect((await set(0, false)).status, 'what is disabled can stay so').to.equal(200);
  });
});
