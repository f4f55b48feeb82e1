import { expect } from 'chai';
import { create, seedMonitor, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const PATH = '/api/v1/service-group';

export async function seedServiceGroup({ api }: Pick<World, 'api'>, name = 'Shop'): Promise<string> {
  return (await create(api, PATH, { name })).id;
}
const oneGroup = async (world: World) => ({ params: { id: await seedServiceGroup(world) } });

async function groupWithMonitor(world: World): Promise<{ id: string; monitorId: string }> {
  const id = await seedServiceGroup(world);
  return { id, monitorId: (await seedMonitor(world, { serviceGroupId: id })).id };
}

export const serviceGroupExamples: Examples = {
  listServiceGroups: {
    seed: async (world) => {
      await groupWithMonitor(world);
      return {};
    },
    check: ({ body }) => expect(body[0].monitors).to.have.length(1),
  },
  getServiceGroup: {
    seed: async (world) => ({ params: { id: (await groupWithMonitor(world)).id } }),
    check: ({ body }) => expect(body).to.deep.include({ hostname: 'shop.example', deletedAt: null }),
  },
  createServiceGroup: { seed: () => ({ body: { name: 'Shop', hostname: 'shop.example' } }) },
  renameServiceGroup: {
    seed: async (world) => ({ ...(await oneGroup(world)), body: { name: 'Store', hostname: null } }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Store', hostname: null }),
  },
  moveMonitors: {
    seed: async (world) => {
      const { id, monitorId } = await groupWithMonitor(world);
      const targetServiceGroupId = await seedServiceGroup(world, 'Store');
      return { params: { id }, body: { monitorIds: [monitorId], targetServiceGroupId, deleteSourceIfEmpty: true } };
    },
    check: ({ body }) => expect([body.source, body.target.monitors.length]).to.deep.equal([null, 1]),
    foreignBody: async (world, foreign) => ({
      monitorIds: [(await groupWithMonitor(foreign)).monitorId],
      targetServiceGroupId: await seedServiceGroup(world),
    }),
  },
  deleteServiceGroup: { seed: oneGroup },
  restoreServiceGroup: {
    seed: async (world) => {
      const { id } = await groupWithMonitor(world);
      await create(world.api, `${PATH}/${id}`, undefined, 'DELETE');
      return { params: { id } };
    },
    check: ({ body }) => expect([body.deletedAt, body.monitors.length]).to.deep.equal([null, 1]),
  },
};
