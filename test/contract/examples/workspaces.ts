import { expect } from 'chai';
import { create, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const anotherMember = async (world: World) => ({ params: { memberId: (await world.member('Responder')).memberId } });

/** Settings that name an action group of another workspace. */
async function foreignGroups({ api }: World): Promise<object> {
  const { id } = await create(api, '/api/v1/action-groups/email', { name: 'Ops', recipients: ['ops@example.test'] });
  return { settings: { defaultActionGroupIds: [id] } };
}

export const workspaceExamples: Examples = {
  listWorkspaces: {
    check: ({ body }, world) => expect(body.map(({ id }: { id: string }) => id)).to.include(world.workspaceId),
  },
  createWorkspace: {
    seed: () => ({ body: { name: 'Skunkworks', settings: { timezone: 'Europe/Dublin' } } }),
    foreignBody: async (_world, foreign) => ({ name: 'Skunkworks', ...(await foreignGroups(foreign)) }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Skunkworks', isPersonal: false, role: 'Owner' }),
  },
  getWorkspace: { check: ({ body }, world) => expect(body.id).to.equal(world.workspaceId) },
  updateWorkspace: {
    seed: () => ({ body: { name: 'Renamed', settings: { incidentQuorum: 'any' } } }),
    foreignBody: (_world, foreign) => foreignGroups(foreign),
    check: ({ body }) => expect(body).to.nested.include({ name: 'Renamed', 'settings.incidentQuorum': 'any' }),
  },
  deleteWorkspace: {},
  transferOwnership: {
    seed: async (world) => ({ body: { memberId: (await world.member('Editor')).memberId } }),
    foreignBody: async (_world, foreign) => ({ memberId: (await foreign.member('Editor')).memberId }),
    check: ({ body }) => expect(body.role).to.equal('Admin'),
    notReplayed: 'after the transfer the caller is no longer the Owner and may not repeat it',
  },
  listMembers: {},
  getMember: { seed: anotherMember, check: ({ body }) => expect(body.role).to.equal('Responder') },
  getOwnMembership: { check: ({ body }) => expect(body).to.include({ role: 'Viewer', status: 'active' }) },
  updateMember: {
    entries: ['member.role_changed'],
    seed: async (world) => ({ ...(await anotherMember(world)), body: { role: 'Editor' } }),
    check: ({ body }) => expect(body.role).to.equal('Editor'),
  },
  removeMember: { seed: anotherMember },
  updateOwnMembership: {
    seed: () => ({ body: { notificationPreferences: { email: false }, chatAccounts: [] } }),
    entries: [],
    check: ({ body }) => expect(body.notificationPreferences.email).to.equal(false),
  },
  leaveWorkspace: {},
  listAuditEntries: {
    seed: async ({ api }) => {
      await create(api, '/api/v1/service-group', { name: 'Shop' });
      return { query: 'action=service_group.created' };
    },
    check: ({ body }, { owner }) => {
      expect(body).to.have.length(1);
      expect(body[0]).to.deep.include({ action: 'service_group.created', via: 'rest' });
      expect(body[0].actor).to.deep.include({ type: 'user', id: owner.userId });
      expect(body[0].changes).to.deep.equal({ name: { from: null, to: 'Shop' } });
    },
  },
};
