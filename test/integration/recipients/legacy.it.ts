import { expect } from 'chai';
import type { ApiResponse } from '../../support/product.js';
import { create, makeWorld, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const BODIES = {
  email: { name: 'Operators', recipients: ['ops@example.com'] },
  sms: { name: 'Pagers', phoneNumbers: ['+353871234567'] },
  webhook: { name: 'Relay', url: 'https://hooks.example.com/watchpost' },
};
type Type = keyof typeof BODIES;
const TYPES = Object.keys(BODIES) as Type[];

describe('The legacy interface to the action groups of a monitor', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  let monitorId: string;
  let otherId: string;
  beforeEach(async () => {
    [monitorId, otherId] = [(await seedMonitor(world)).id, (await seedMonitor(world)).id];
  });

  const under = (type: Type, of = monitorId) => `/api/v1/monitor/${of}/${type}-action-group`;
  const make = (type: Type, of = monitorId) =>
    create<{ id: string; name: string }>(world.api, under(type, of), BODIES[type]);
  async function ask(method: string, path: string, status: number, body?: unknown): Promise<ApiResponse> {
    const answer = await world.api(method, path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).to.equal(status);
    expect(answer.headers.get('deprecation')).to.equal('@1795219200');
    expect(answer.headers.get('link')).to.include('</api/v1/action-groups>; rel="successor-version"');
    return answer;
  }

  it('lists all groups of a monitor, with links to list pages and to the successor', async () => {
    for (const type of TYPES) await make(type);
    const { id } = await create(world.api, '/api/v1/action-groups/email', { ...BODIES.email, name: 'Global' });
    await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
    await make('email', otherId);
    const answer = await ask('GET', `/api/v1/monitor/${monitorId}/action-groups?pageSize=2`, 200);
    expect(answer.body).to.have.length(2);
    expect(answer.headers.get('x-total-count')).to.equal('4');
    expect(answer.headers.get('link')).to.include('rel="next"').and.to.include('rel="last"');
  });

  for (const type of TYPES) {
    it(`creates a group of type ${type} that is attached and like any other`, async () => {
      const answer = await ask('POST', under(type), 201, BODIES[type]);
      expect(answer.body).to.deep.include({ type, name: BODIES[type].name, monitorCount: 1, isEnabled: true });
      const { secret, ...shown } = answer.body;
      expect(secret === undefined).to.equal(type !== 'webhook');
      expect((await world.api('GET', `/api/v1/action-groups/${type}/${shown.id}`)).body).to.deep.equal(shown);
      expect((await world.api('GET', answer.headers.get('location')!)).body).to.deep.equal(shown);
      expect((await ask('GET', under(type), 200)).body).to.deep.equal([shown]);
      for (const other of TYPES.filter((one) => one !== type))
        expect((await ask('GET', under(other), 200)).body).to.deep.equal([]);
      expect((await ask('GET', under(type, otherId), 200)).body).to.deep.equal([]);
    });

    it(`detaches a group of type ${type} on deletion, and deletes it if nothing else uses it`, async () => {
      const { id } = await make(type);
      await create(world.api, `/api/v1/action-groups/${id}/monitors/${otherId}`);
      await ask('DELETE', `${under(type)}/${id}`, 204);
      await ask('DELETE', `${under(type)}/${id}`, 404);
      expect((await world.api('GET', `/api/v1/action-groups/${id}`)).body.monitorCount).to.equal(1);
      await ask('DELETE', `${under(type, otherId)}/${id}`, 204);
      expect((await world.api('GET', `/api/v1/action-groups/${id}`)).status).to.equal(404);
    });

    it(`does not find a group of type ${type} of another type or monitor`, async () => {
      const { id } = await make(type);
      const wrong = type === 'email' ? 'sms' : 'email';
      await ask('DELETE', `${under(wrong)}/${id}`, 404);
      await ask('DELETE', `${under(type, otherId)}/${id}`, 404);
      const foreign = await makeWorld(app);
      const theirs = (await seedMonitor(foreign)).id;
      await ask('POST', under(type, theirs), 404, BODIES[type]);
      await ask('GET', under(type, theirs), 404);
      await ask('DELETE', `${under(type, theirs)}/${id}`, 404);
      expect((await ask('GET', under(type), 200)).body).to.have.length(1);
    });
  }

  for (const type of ['email', 'webhook'] as const) {
    it(`changes a group of type ${type} by its id, if it is of this monitor and type`, async () => {
      const { id } = await make(type);
      const changed = await ask('PUT', under(type), 200, { id, name: 'Renamed', isEnabled: false });
      expect(changed.body).to.deep.include({ id, name: 'Renamed', isEnabled: false });
      expect((await world.api('GET', `/api/v1/action-groups/${type}/${id}`)).body).to.deep.equal(changed.body);
      await ask('PUT', under(type, otherId), 404, { id, name: 'Not of this monitor' });
      await ask('PUT', under(type === 'email' ? 'webhook' : 'email'), 404, { id, name: 'Not of this type' });
      for (const body of [{ name: 'No id' }, { id: 'x' }, { id, type: 'sms' }])
        await ask('PUT', under(type), 400, body);
      await world.api('DELETE', `/api/v1/action-groups/${id}`);
      await ask('PUT', under(type), 404, { id, name: 'Gone' });
    });
  }

  it('reads an email group by its id', async () => {
    const made = await make('email');
    expect((await ask('GET', `${under('email')}/${made.id}`, 200)).body).to.deep.equal(made);
    await ask('GET', `${under('email', otherId)}/${made.id}`, 404);
  });

  it('detaches a default group of the workspace without deleting it', async () => {
    const { id } = await make('email');
    const settings = { defaultActionGroupIds: [id] };
    expect((await world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, { settings })).status).to.equal(200);
    await ask('DELETE', `${under('email')}/${id}`, 204);
    expect((await world.api('GET', `/api/v1/action-groups/${id}`)).body.monitorCount).to.equal(0);
  });

  it('deletes a group whose last two monitors detach it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await make('sms');
      await create(world.api, `/api/v1/action-groups/${id}/monitors/${otherId}`);
      await Promise.all([monitorId, otherId].map((of) => ask('DELETE', `${under('sms', of)}/${id}`, 204)));
      expect((await world.api('GET', `/api/v1/action-groups/${id}`)).status).to.equal(404);
    }
  });
});
