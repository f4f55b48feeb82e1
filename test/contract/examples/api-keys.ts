import { expect } from 'chai';
import { create } from '../../support/seed.js';
import type { Examples } from '../example.js';

const PATH = '/api/v1/api-keys';

export const apiKeyExamples: Examples = {
  listApiKeys: {
    seed: async (world) => {
      const by = await world.member('Viewer');
      await create(by.api, PATH, { name: 'CI', scopes: ['monitor.read'] });
      return { by: world.owner, query: 'all=true' };
    },
    check: async ({ body }, world) => {
      const viewer = await world.member('Viewer');
      expect(body[0]).to.deep.include({ name: 'CI', scopes: ['monitor.read'], lastUsedAt: null });
      expect(body[0].owner.userId).to.equal(viewer.userId);
      expect(JSON.stringify(body)).not.to.match(/wpk_\w{12}_/);
    },
  },
  createApiKey: {
    seed: () => ({ body: { name: 'CI', scopes: ['account.read'], expiresAt: null } }),
    check: ({ body }) => {
      expect(body.key).to.match(/^wpk_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{43}$/);
      expect(body.key.startsWith(`${body.prefix}_`)).to.equal(true);
      expect(body).to.deep.include({ name: 'CI', scopes: ['account.read'], expiresAt: null, lastUsedAt: null });
    },
    shownOnce: ['key'],
  },
  revokeApiKey: {
    seed: async (world) => {
      const by = await world.member('Viewer');
      const { id } = await create(by.api, PATH, { name: 'CI', scopes: ['account.read'] });
      return { by, params: { id } };
    },
  },
};
