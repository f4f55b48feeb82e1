import { expect } from 'chai';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, resultOf, resultsDeps } from '../../integration/results/seed.js';
import { seedIncident, seedMonitor, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const checked = async (world: World) => {
  const { id } = await seedMonitor(world);
  await seedIncident(world, id);
  return { id };
};

export const overviewExamples: Examples = {
  getOverview: {
    seed: async (world) => void (await checked(world)),
    check: ({ body }) => {
      expect(body.counts).to.include({ unknown: 1, total: 1 });
      expect(body.attention).to.have.length(1);
    },
  },
  listMonitorGroups: {
    seed: async (world) => {
      await seedMonitor(world, { tags: ['team:web'] });
      return { query: 'by=team' };
    },
    check: ({ body }) => expect(body[0]).to.deep.include({ name: 'team:web', tag: 'team:web' }),
  },
  listMonitorCharts: {
    seed: async (world) => ({ query: `monitorId=${(await checked(world)).id}` }),
    check: ({ body }) => expect(body[0].bar.states).to.have.length(96),
  },
  listShifts: { seed: () => ({ query: 'startDate=2026-11-20T00:00:00Z&endDate=2026-12-20T00:00:00Z' }) },
  listRegions: {
    seed: async (world) => void (await seedMonitor(world)),
    check: ({ body }) => expect(body.map((one: { region: string }) => one.region)).to.include('northeurope'),
  },
  search: {
    seed: async (world) => {
      await checked(world);
      return { query: 'q=sho' };
    },
    check: ({ body }) => expect(body.monitors).to.have.length(1),
  },
  listMonitorResults: {
    seed: async (world) => {
      const { id } = await seedMonitor(world);
      const key = await world.app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
      const deps = { ...resultsDeps(world.app.db), clock: world.app.clock };
      await ingestBatch(deps, agentIn('northeurope'), [resultOf(key, world.app.clock.now())]);
      return { params: { id } };
    },
    check: ({ body }) => expect(body).to.have.length(1),
  },
  getMonitorRegionTimelines: {
    seed: async (world) => ({ params: await checked(world), query: 'steps=48' }),
    check: ({ body }) => expect(body.regions[0].states).to.have.length(48),
  },
  getIncidentDiagnosis: {
    seed: async (world) => ({ params: { id: await seedIncident(world, (await seedMonitor(world)).id) } }),
    check: ({ body }) => expect(body.verdict.cause).to.equal('unknown'),
  },
  getIncidentNotifications: {
    seed: async (world) => ({ params: { id: await seedIncident(world, (await seedMonitor(world)).id) } }),
    check: ({ body }) => expect(body.notified).to.deep.equal([]),
  },
};
