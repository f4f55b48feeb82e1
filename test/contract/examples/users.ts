import { expect } from 'chai';
import type { World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const own = ({ owner }: World) => ({ params: { id: owner.userId } });

export const userExamples: Examples = {
  getUser: { check: ({ body }, { owner }) => expect(body).to.include({ id: owner.userId, email: owner.email }) },
  createUser: { status: 200, seed: () => ({ body: {} }) },
  updateUser: {
    seed: (world) => ({ ...own(world), body: { name: 'Another name' } }),
    check: ({ body }) => expect(body.name).to.equal('Another name'),
  },
  deleteUser: { seed: own },
  getPreferences: {},
  updatePreferences: {
    seed: () => ({ body: { theme: 'dark', columns: ['name', 'status'], nested: { a: 1, b: null } } }),
    check: ({ body }) => expect(body).to.deep.equal({ theme: 'dark', columns: ['name', 'status'], nested: { a: 1 } }),
  },
  getTrial: { seed: ({ owner }) => ({ params: { userId: owner.userId } }) },
  startTrial: {
    seed: async ({ app, owner }) => {
      await app.setPlan('Starter', {}, owner);
      return { params: { userId: owner.userId }, body: { plan: 'Growth' } };
    },
    check: ({ body }) => expect(body).to.include({ status: 'active', plan: 'Growth', daysRemaining: 14 }),
  },
  listProducts: {
    check: ({ body }) =>
      expect(body.map(({ name }: { name: string }) => name)).to.deep.equal(['Starter', 'Growth', 'Pro', 'Enterprise']),
  },
};
