import { expect } from 'chai';
import { actionGroupStore } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-store';
import { create, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const BODIES = {
  email: { name: 'Operators', recipients: ['ops@example.com', 'Night@example.com'] },
  sms: { name: 'Pagers', phoneNumbers: ['+353871234567', '+14155550100'] },
  webhook: { name: 'Relay', url: 'https://hooks.example.com/watchpost', headers: { 'X-Team': 'shop' } },
  slack: { name: 'Channel', webhookUrl: 'https://hooks.slack.com/services/T0/B0/abcdefghWXYZ' },
  teams: { name: 'Team', webhookUrl: 'https://acme.webhook.office.com/webhookb2/abcdefghWXYZ' },
};
type Type = keyof typeof BODIES;
const TYPES = Object.keys(BODIES) as Type[];
const CHANGES: Record<Type, object> = {
  email: { recipients: ['new@example.com'] },
  sms: { phoneNumbers: ['+442071234567'] },
  webhook: { url: 'https://hooks.example.com/other' },
  slack: { webhookUrl: 'https://hooks.slack.com/services/T0/B0/another00001' },
  teams: { webhookUrl: 'https://acme.webhook.office.com/webhookb2/another00001' },
};
const SHOWN: Record<Type, object> = {
  ...CHANGES,
  slack: { webhookUrl: 'https://hooks.slack.com/***0001' },
  teams: { webhookUrl: 'https://acme.webhook.office.com/***0001' },
};

describe('Action groups', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app);

  async function make(type: Type): Promise<string> {
    if (type !== 'sms') return (await create(world.api, `/api/v1/action-groups/${type}`, BODIES[type])).id;
    const { id } = await seedMonitor(world);
    return (await create(world.api, `/api/v1/monitor/${id}/sms-action-group`, BODIES.sms)).id;
  }
  const pathOf = (type: Type, id: string) => `/api/v1/action-groups/${type}/${id}`;

  for (const type of TYPES) {
    it(`of type ${type} keep their input, and a change affects only the given fields`, async () => {
      const id = await make(type);
      app.clock.advance(1_000);
      const { body: before } = await world.api('GET', pathOf(type, id));
      expect(before).to.deep.include({
        id,
        type,
        name: BODIES[type].name,
        isEnabled: true,
        attachTo: { tags: [], all: false },
      });
      const { body: after } = await world.api('PUT', pathOf(type, id), CHANGES[type]);
      const lastModified = new Date(app.clock.now()).toISOString();
      expect(after).to.deep.equal({ ...before, ...SHOWN[type], lastModified });
      app.clock.advance(1_000);
      expect((await world.api('PUT', pathOf(type, id), CHANGES[type])).body, 'the same again').to.deep.equal(after);
      expect((await world.api('GET', `/api/v1/action-groups/${id}`)).body).to.deep.equal(after);
    });

    it(`of type ${type} are found by their own type only and refuse fields of other types`, async () => {
      const id = await make(type);
      for (const other of TYPES.filter((one) => one !== type)) {
        expect((await world.api('GET', pathOf(other, id))).status, other).to.equal(404);
        expect((await world.api('PUT', pathOf(other, id), { name: 'Taken over' })).status, other).to.equal(404);
      }
      const { body } = await world.api('PUT', pathOf(type, id), { type: 'email', secret: 'mine', monitorCount: 7 });
      expect([body.error, body.details.length > 0]).to.deep.equal(['validation_failed', true]);
      expect((await world.api('GET', pathOf(type, id))).body.name).to.equal(BODIES[type].name);
    });
  }

  it('report all faults of a body at once', async () => {
    const recipients = ['ops@example.com', 'x', 'evil@example.com\r\nBcc: all@example.com'];
    const { status, body } = await world.api('POST', '/api/v1/action-groups/email', { name: ' ', recipients, cc: [] });
    expect(status).to.equal(400);
    const paths = body.details.map(({ path }: { path: string }) => path);
    expect(paths).to.include.members(['name', 'recipients.1', 'recipients.2', 'cc']);
  });

  it('accept only one of two concurrent changes with the same ETag', async () => {
    const id = await make('email');
    const tag = (await world.api('GET', pathOf('email', id))).headers.get('etag')!;
    const answers = await Promise.all(
      ['One', 'Other'].map((name) => world.api('PUT', pathOf('email', id), { name }, { 'if-match': tag })),
    );
    expect(answers.map(({ status }) => status)).to.have.members([200, 412]);
    expect((await world.api('DELETE', `/api/v1/action-groups/${id}`, undefined, { 'if-match': tag })).status).to.equal(
      412,
    );
  });

  it('accept plain http only for addresses that the operator allows', async () => {
    const post = async (url: string) =>
      (await world.api('POST', '/api/v1/action-groups/webhook', { ...BODIES.webhook, url })).status;
    expect(await post('http://127.0.0.1:9000/hook')).to.equal(201);
    expect(await post('http://localhost:9000/hook')).to.equal(201);
    for (const url of [
      'http://hooks.example.com/',
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
    ]) {
      expect(await post(url), url).to.equal(400);
    }
  });

  it('are all listed, newest first', async () => {
    const ids: string[] = [];
    for (const type of TYPES) {
      app.clock.advance(1_000);
      ids.unshift(await make(type));
    }
    const { body, headers } = await world.api('GET', '/api/v1/action-groups');
    expect(body.map(({ id }: { id: string }) => id)).to.deep.equal(ids);
    expect(headers.get('x-total-count')).to.equal('5');
  });

  it('are found by plans that the server keeps', async () => {
    const id = await make('email');
    // One connection: what is kept is kept on it.
    const plans = await app.db.transaction(async (tx) => {
      for (let time = 0; time < 10; time++) {
        expect((await actionGroupStore.lock(world.workspaceId, tx, id))?.id).to.equal(id);
        expect((await actionGroupStore.find(world.workspaceId, tx, id))?.id).to.equal(id);
      }
      return tx.query<{ custom: number; generic: number }>(
        `SELECT custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements
         WHERE statement LIKE '%FROM action_group g WHERE%g.id = $4%' AND generic_plans + custom_plans >= 10`,
      );
    });
    expect(plans).to.have.length(2);
    for (const { custom, generic } of plans) expect(generic).to.be.at.least(5).and.at.least(custom);
  });
});
