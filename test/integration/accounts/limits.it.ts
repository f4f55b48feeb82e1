import { expect } from 'chai';
import { planListeners } from '@watchpost/control-plane/app/compose-owner-changes';
import { setPlan } from '@watchpost/control-plane/capabilities/plans/set-plan';
import { create, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

interface Switched {
  name: string;
  isEnabled: boolean;
}

const GROUPS: Readonly<Record<string, { limit: string; body: object }>> = {
  email: { limit: 'emailGroups', body: { recipients: ['ops@example.test'] } },
  sms: { limit: 'smsGroups', body: { phoneNumbers: ['+353871234567'] } },
  webhook: { limit: 'webhookGroups', body: { url: 'https://hooks.example.test/' } },
  slack: { limit: 'slackGroups', body: { webhookUrl: 'https://hooks.slack.com/services/T0/B0/abcdefgh' } },
  teams: { limit: 'msTeamsGroups', body: { webhookUrl: 'https://acme.webhook.office.com/webhookb2/abcdefgh' } },
};

describe("What an owner's plan has room for", () => {
  const app = appForSuite();
  const world = worldForEach(app);

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
      { user: world.owner.email, plan: 'Growth', limits },
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
        otherGroups: 0,
        teams: 1,
        privateLocations: 0,
      });
    }
  });

  it('disables the newest action groups of a channel where it becomes smaller, and keeps them', async () => {
    for (const name of ['first', 'second', 'third', 'fourth']) await makeGroup(name);
    await downgrade({ emailGroups: 2 });
    expect(await enabled()).to.deep.equal({ first: true, second: true, third: false, fourth: false });
  });

  for (const [type, { limit, body }] of Object.entries(GROUPS))
    it(`disables the newest ${type} groups over all workspaces of the owner, and those of no other kind`, async () => {
      const personal = app.as(world.owner.sub, { workspaceId: world.owner.workspaceId });
      const { id: monitorId } = await seedMonitor(world);
      const { id: elsewhereId } = await seedMonitor({ api: personal });
      const make = async (kind: string, name: string, api = world.api) => {
        app.clock.advance(1_000);
        const path =
          kind === 'sms'
            ? `/api/v1/monitor/${api === personal ? elsewhereId : monitorId}/sms-action-group`
            : `/api/v1/action-groups/${kind}`;
        return create(api, path, { name, ...GROUPS[kind]!.body });
      };
      for (const kind of Object.keys(GROUPS)) if (kind !== type) await make(kind, kind);
      const before = await enabled();
      await make(type, 'first');
      await make(type, 'second', personal);
      await make(type, 'third');
      await make(type, 'fourth', personal);
      const [{ id }] = (await world.api('GET', '/api/v1/action-groups')).body.filter(
        (group: { name: string }) => group.name === 'third',
      );
      await downgrade({ [limit]: 2 });
      expect(await enabled()).to.deep.equal({ ...before, first: true, third: false });
      const others = (await personal('GET', '/api/v1/action-groups')).body;
      expect(Object.fromEntries(others.map((group: Switched) => [group.name, group.isEnabled]))).to.deep.equal({
        second: true,
        fourth: false,
      });
      const enable = () => world.api('PUT', `/api/v1/action-groups/${type}/${id}`, { isEnabled: true });
      const refused = await enable();
      expect([refused.status, refused.body.error, refused.body.details[0].limit]).to.deep.equal([
        403,
        'plan_limit_exceeded',
        limit,
      ]);
      expect(
        (await world.api('PUT', `/api/v1/action-groups/${type}/${id}`, { ...body, name: 'kept' })).status,
      ).to.equal(200);
      await downgrade({ [limit]: 4 });
      expect((await enabled())['kept'], 'nothing is enabled again by itself').to.equal(false);
      expect((await enable()).status).to.equal(200);
    });

  it('alerts nobody by a group that a smaller plan disabled, of any kind', async () => {
    const { id: monitorId } = await seedMonitor(world);
    const kept = await create(world.api, '/api/v1/action-groups/email', {
      name: 'kept',
      recipients: [world.owner.email],
    });
    await create(world.api, `/api/v1/action-groups/${kept.id}/monitors/${monitorId}`);
    app.clock.advance(1_000);
    for (const [kind, { body }] of Object.entries(GROUPS)) {
      const path = kind === 'sms' ? `/api/v1/monitor/${monitorId}/sms-action-group` : `/api/v1/action-groups/${kind}`;
      const { id } = await create(world.api, path, { name: kind, ...body });
      if (kind !== 'sms') await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
    }
    await downgrade({ ...Object.fromEntries(Object.values(GROUPS).map(({ limit }) => [limit, 0])), emailGroups: 1 });
    const disabled = Object.fromEntries(Object.keys(GROUPS).map((kind) => [kind, false]));
    expect(await enabled()).to.deep.equal({ ...disabled, kept: true });
    await seedIncident(world, monitorId);
    await app.plane.delivery.runDue();
    const deliveries = await app.sql<{ groupId: string }>(
      'SELECT group_id AS "groupId" FROM delivery WHERE workspace_id = $1',
      [world.workspaceId],
    );
    expect(deliveries).to.deep.equal([{ groupId: kept.id }]);
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
