import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { create, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const PATH = '/api/v1/private-locations';

async function seedLocation({ api }: World): Promise<{ params: { id: string } }> {
  const slug = `office-${randomUUID().slice(0, 8)}`;
  const { id } = await create(api, PATH, { name: 'Office', slug, allowCidrs: ['10.20.0.0/16'] });
  return { params: { id } };
}

async function seedAgent(world: World): Promise<{ params: { id: string; agentId: string } }> {
  const { id } = (await seedLocation(world)).params;
  const { id: agentId } = await create(world.api, `${PATH}/${id}/agents`, { name: 'rack-1' });
  return { params: { id, agentId } };
}

const agents = async (world: World) => ({ params: { id: (await seedAgent(world)).params.id } });

export const locationExamples: Examples = {
  listPrivateLocations: {
    seed: async (world) => void (await seedLocation(world)),
    check: ({ body }) => expect(body).to.have.length(1),
  },
  getPrivateLocation: {
    seed: seedLocation,
    check: ({ body }) => expect(body).to.deep.include({ name: 'Office', reachability: 'advisory', labels: {} }),
  },
  createPrivateLocation: {
    seed: () => ({
      body: {
        name: 'Office in Dublin',
        slug: 'office',
        allowCidrs: ['10.20.0.0/16', 'fd00::/8'],
        denyCidrs: ['10.20.30.40'],
        labels: { site: 'Dublin' },
        reachability: 'voting',
        notifyActionGroupIds: [],
      },
    }),
    check: ({ body }) => expect(body.denyCidrs).to.deep.equal(['10.20.30.40']),
    foreignBody: async (_, foreign) => {
      const group = { name: 'On call', recipients: ['ops@example.test'] };
      const { id } = await create(foreign.api, '/api/v1/action-groups/email', group);
      return { name: 'Office', slug: 'office', notifyActionGroupIds: [id] };
    },
  },
  updatePrivateLocation: {
    seed: async (world) => ({
      ...(await seedLocation(world)),
      body: { name: 'Head office', denyCidrs: ['10.20.1.1'] },
    }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Head office', allowCidrs: ['10.20.0.0/16'] }),
    foreignBody: async (_, foreign) => {
      const group = { name: 'On call', recipients: ['ops@example.test'] };
      return { notifyActionGroupIds: [(await create(foreign.api, '/api/v1/action-groups/email', group)).id] };
    },
  },
  deletePrivateLocation: { seed: seedLocation },
  listLocationAgents: {
    seed: agents,
    check: ({ body: [agent] }) => {
      expect(agent).to.include({ name: 'rack-1', state: 'waiting', lastSeen: null, spooled: 0 });
      expect(agent).not.to.have.property('token');
    },
  },
  createLocationAgent: {
    seed: async (world) => ({ ...(await seedLocation(world)), body: { name: 'rack-1' } }),
    check: ({ body }) => expect(body.token).to.match(/^wpa_/),
    shownOnce: ['token'],
  },
  revokeLocationAgent: { seed: seedAgent },
};
