import { expect } from 'chai';
import { create } from '../../support/seed.js';
import type { Examples } from '../example.js';

const DOCUMENT = { apiVersion: 'watchpost/v1', project: 'shop', monitors: { site: { url: 'https://shop.example/' } } };

export const documentExamples: Examples = {
  planConfig: {
    seed: () => ({ body: { document: DOCUMENT } }),
    check: ({ body }) => expect(body.summary).to.include({ create: 1 }),
  },
  applyConfig: {
    entries: ['config.applied', 'monitor.created'],
    seed: () => ({ body: { document: JSON.stringify(DOCUMENT) } }),
    check: ({ body }) => expect(body.changes[0]).to.include({ action: 'create', kind: 'monitors', key: 'site' }),
  },
  exportConfig: {
    seed: async (world) => void (await create(world.api, '/api/v1/monitor', { url: 'https://shop.example/' })),
    check: ({ body }) =>
      expect(body.monitors).to.deep.equal({
        'shop-example': { name: 'shop.example', url: 'https://shop.example/', actionGroups: [] },
      }),
  },
  detachConfig: {
    async seed(world) {
      const { status } = await world.api('POST', '/api/v1/config/apply', { document: DOCUMENT });
      expect(status).to.equal(200);
      return { body: { project: 'shop', objects: [{ kind: 'monitors', key: 'site' }] } };
    },
    check: ({ body }) => expect(body).to.deep.equal({ detached: 1 }),
  },
  getConfigSchema: {
    check: ({ body }) =>
      expect(body.properties.monitors.additionalProperties.properties).to.include.keys('serviceGroup', 'url'),
  },
};
