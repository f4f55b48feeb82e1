import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';

const BODIES = {
  email: { recipients: ['ops@example.com'] },
  sms: { phoneNumbers: ['+353871234567'] },
  webhook: { url: 'https://hooks.example.com/watchpost' },
  slack: { webhookUrl: 'https://hooks.slack.com/services/T0/B0/abcdefgh' },
  teams: { webhookUrl: 'https://acme.webhook.office.com/webhookb2/abcdefgh' },
};
const LIMITS = {
  email: 'emailGroups',
  sms: 'smsGroups',
  webhook: 'webhookGroups',
  slack: 'slackGroups',
  teams: 'msTeamsGroups',
};
type Type = keyof typeof BODIES;
const TYPES = Object.keys(BODIES) as Type[];

describe('how many action groups a plan has', () => {
  let app: TestApp;
  let world: World;
  let monitorId: string;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.stop());
  beforeEach(async () => {
    world = await makeWorld(app);
    monitorId = (await seedMonitor(world)).id;
  });

  const make = (type: Type, api = world.api) =>
    api('POST', type === 'sms' ? `/api/v1/monitor/${monitorId}/sms-action-group` : `/api/v1/action-groups/${type}`, {
      name: 'A group',
      ...BODIES[type],
    });

  for (const type of TYPES) {
    it(`${type}: never more than the limit, however many are made at once`, async () => {
      await app.setPlan('Pro', { [LIMITS[type]]: 3 }, world.owner);
      const answers = await Promise.all(Array.from({ length: 9 }, () => make(type)));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(3);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const { status, body } of refused) {
        expect([status, body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
        expect(body.details[0]).to.include({
          limit: LIMITS[type],
          value: 3,
          plan: type === 'email' ? 'Growth' : 'Pro',
        });
      }
      const [row] = await app.sql('SELECT count(*) AS count FROM action_group WHERE workspace_id = $1', [
        world.workspaceId,
      ]);
      expect(row).to.deep.equal({ count: 3 });
    });
  }

  it('both faces and all workspaces of the owner count together, and what is deleted makes room', async () => {
    await app.setPlan('Starter', {}, world.owner);
    const elsewhere = app.as(world.owner.sub, { workspaceId: world.owner.workspaceId });
    expect((await make('email', elsewhere)).status).to.equal(201);
    const { id } = await create(world.api, `/api/v1/monitor/${monitorId}/email-action-group`, {
      name: 'B',
      ...BODIES.email,
    });
    expect((await make('email')).status).to.equal(403);
    expect((await make('email', elsewhere)).status).to.equal(403);
    expect((await world.api('PUT', `/api/v1/action-groups/email/${id}`, { isEnabled: false })).status).to.equal(200);
    expect((await make('email')).status, 'one that is switched off counts').to.equal(403);
    expect((await world.api('DELETE', `/api/v1/action-groups/${id}`)).status).to.equal(204);
    expect((await make('email')).status).to.equal(201);
  });

  it('Starter has email alone', async () => {
    await app.setPlan('Starter', {}, world.owner);
    for (const type of TYPES.filter((one) => one !== 'email')) {
      const { status, body } = await make(type);
      expect([status, body.error, body.details[0].plan], type).to.deep.equal([403, 'plan_limit_exceeded', 'Growth']);
    }
  });

  it('what was there before a smaller plan stays, and can be changed and deleted', async () => {
    const { id } = (await make('webhook')).body;
    await app.setPlan('Starter', {}, world.owner);
    expect((await world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { name: 'Still here' })).status).to.equal(
      200,
    );
    expect((await world.api('POST', `/api/v1/action-groups/${id}/monitors/${monitorId}`)).status).to.equal(200);
    expect((await world.api('DELETE', `/api/v1/action-groups/${id}`)).status).to.equal(204);
  });
});
