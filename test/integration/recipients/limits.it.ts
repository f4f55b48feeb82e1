import { expect } from 'chai';
import { create, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

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

describe('The limit of action groups in a plan', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  let monitorId: string;
  beforeEach(async () => {
    monitorId = (await seedMonitor(world)).id;
  });

  const make = (type: Type, api = world.api) =>
    api('POST', type === 'sms' ? `/api/v1/monitor/${monitorId}/sms-action-group` : `/api/v1/action-groups/${type}`, {
      name: 'A group',
      ...BODIES[type],
    });

  for (const type of TYPES) {
    it(`is not exceeded by concurrent creations of type ${type}`, async () => {
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

  it('counts both interfaces and all workspaces of the owner, and not deleted groups', async () => {
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

  it('allows only email on Starter', async () => {
    await app.setPlan('Starter', {}, world.owner);
    for (const type of TYPES.filter((one) => one !== 'email')) {
      const { status, body } = await make(type);
      expect([status, body.error, body.details[0].plan], type).to.deep.equal([403, 'plan_limit_exceeded', 'Growth']);
    }
  });

  it('leaves existing groups after a downgrade, which can be changed and deleted', async () => {
    const { id } = (await make('webhook')).body;
    await app.setPlan('Starter', {}, world.owner);
    expect((await world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { name: 'Still here' })).status).to.equal(
      200,
    );
    expect((await world.api('POST', `/api/v1/action-groups/${id}/monitors/${monitorId}`)).status).to.equal(200);
    expect((await world.api('DELETE', `/api/v1/action-groups/${id}`)).status).to.equal(204);
  });
});
