import { expect } from 'chai';
import type { World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const own = ({ owner }: World) => ({ params: { id: owner.userId } });

async function seedSession({ app, owner }: World) {
  const browser = { userAgent: 'A browser', remoteAddress: '192.0.2.1', idToken: 'e30.e30.', former: undefined };
  await app.plane.consoleSessions.open(owner.userId, browser);
  const { items } = await app.plane.consoleSessions.list(owner.userId, { limit: 1, offset: 0 });
  return { params: { id: items[0]!.id }, by: owner };
}

export const userExamples: Examples = {
  getUser: { check: ({ body }, { owner }) => expect(body).to.include({ id: owner.userId, email: owner.email }) },
  createUser: { status: 200, seed: () => ({ body: {} }) },
  updateUser: {
    seed: (world) => ({ ...own(world), body: { name: 'Another name' } }),
    check: ({ body }) => expect(body.name).to.equal('Another name'),
  },
  // The owner of the example has two workspaces.
  deleteUser: { seed: own, entries: ['workspace.deleted', 'workspace.deleted'] },
  getPreferences: {},
  updatePreferences: {
    seed: () => ({ body: { theme: 'dark', columns: ['name', 'status'], nested: { a: 1, b: null } } }),
    check: ({ body }) => expect(body).to.deep.equal({ theme: 'dark', columns: ['name', 'status'], nested: { a: 1 } }),
  },
  listSessions: {
    seed: seedSession,
    check: ({ body }) =>
      expect(body[0]).to.include({ userAgent: 'A browser', remoteAddress: '192.0.2.1', isCurrent: false }),
  },
  endSession: { seed: seedSession },
  endSessions: {
    async seed(world) {
      const { by } = await seedSession(world);
      return { by };
    },
  },
  getTrial: { seed: ({ owner }) => ({ params: { userId: owner.userId } }) },
  startTrial: {
    entries: ['workspace.trial_started', 'workspace.trial_started'],
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
