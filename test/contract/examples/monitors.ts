import { expect } from 'chai';
import { factsOf, isTestable, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { answer, certificate, observedResult, type Observation } from '../../integration/verdicts/detail-seed.js';
import { agentIn, resultsDeps } from '../../integration/results/seed.js';
import { seedHeartbeat, seedMonitor, type World } from '../../support/seed.js';
import type { Example, Examples } from '../example.js';
import { seedServiceGroup } from './service-groups.js';

const oneMonitor = async (world: World) => ({ params: { id: (await seedMonitor(world)).id } });

/** A monitor with one certificate check and one DNS check at the present time. */
async function checkedMonitor(world: World, observation: Observation) {
  const { app, workspaceId } = world;
  const { id } = await seedMonitor(world, { monitorTypes: ['SslCertificate', 'Dns'] });
  const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
  const result = observedResult({ id, key, workspaceId }, 0, observation);
  const deps = { ...resultsDeps(app.db), clock: app.clock };
  const due = { scheduledAtMs: app.clock.now(), startedAtMs: app.clock.now() };
  await ingestBatch(deps, agentIn('northeurope'), [{ ...result, ...due }]);
  return { params: { id } };
}

export const monitorExamples: Examples = {
  listMonitors: {
    seed: async (world) => {
      await seedMonitor(world, { tags: ['team:web'] });
      return { query: 'tag=team:web&sort=health' };
    },
    check: ({ body }) => expect(body).to.have.nested.property('[0].tags[0]', 'team:web'),
  },
  listTags: {
    seed: async (world) => void (await seedMonitor(world, { tags: ['team:web', 'env:prod'] })),
    check: ({ body }) =>
      expect(body).to.deep.equal([
        { tag: 'env:prod', monitorCount: 1 },
        { tag: 'team:web', monitorCount: 1 },
      ]),
  },
  getMonitor: { seed: oneMonitor },
  createMonitor: {
    seed: () => ({
      body: {
        name: 'Shop',
        url: 'https://shop.example/',
        monitorTypes: ['HttpAvailability'],
        checkInterval: 'PT1M',
        checkTimeout: 'PT10S',
        numberOfChecksBeforeAlert: 2,
        enabledRegions: ['eastus2'],
        http: { method: 'GET', headers: { 'X-Probe': '1' }, expectedStatusCodes: ['200-299', 304] },
        reporting: { dailyReport: true, weeklyReport: false, monthlyReport: false },
      },
    }),
    foreignBody: async (_world, foreign) => ({
      url: 'https://shop.example/',
      serviceGroupId: await seedServiceGroup(foreign),
    }),
  },
  updateMonitor: {
    seed: async (world) => ({
      ...(await oneMonitor(world)),
      body: {
        name: 'Shop, renamed',
        checkInterval: 'PT10M',
        tags: ['Team:Web', 'checkout'],
        dependsOn: [(await seedMonitor(world)).id],
      },
    }),
    foreignBody: async (_world, foreign) => ({ serviceGroupId: await seedServiceGroup(foreign) }),
    check: ({ body }) =>
      expect(body).to.deep.include({
        name: 'Shop, renamed',
        checkInterval: 'PT10M',
        tags: ['checkout', 'team:web'],
      }) && expect(body.dependsOn).to.have.length(1),
  },
  previewHeartbeat: {
    seed: async () => ({ query: 'cron=30 2 * * *&timezone=Europe/Berlin&from=2027-10-30T12:00:00Z&count=2' }),
    check: ({ body }) => expect(body).to.deep.equal(['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z']),
  },
  rotateMonitorPingUrl: {
    seed: async (world) => ({ params: { id: (await seedHeartbeat(world)).id } }),
    check: ({ body }) => expect(body.heartbeat.pingUrl).to.match(/\/ping\/[\w-]{32}$/),
  },
  listMonitorPings: {
    seed: async (world) => {
      const { id, pingPath } = await seedHeartbeat(world);
      await fetch(new URL(`${pingPath}/7?rid=a`, world.app.baseUrl), { method: 'POST', body: 'disk full' });
      return { params: { id } };
    },
    check: ({ body }) => expect(body[0]).to.deep.include({ kind: 'fail', exitCode: 7, rid: 'a', body: 'disk full' }),
  },
  deleteMonitor: { seed: oneMonitor },
  changeMonitors: {
    entries: ['monitor.updated', 'monitor.updated'],
    seed: async (world) => {
      const monitors = [
        await seedMonitor(world),
        await seedMonitor(world),
        await seedMonitor(world, { tags: ['web'] }),
      ];
      return { body: { monitorIds: monitors.map(({ id }) => id), action: 'addTags', tags: ['Web'] } };
    },
    foreignBody: async (_world, foreign) => ({
      monitorIds: [(await seedMonitor(foreign)).id],
      action: 'delete',
    }),
    check: ({ body }) => expect(body).to.include({ matched: 3, changed: 2 }),
  },
  checkMonitor: { seed: oneMonitor, status: 503, succeedsElsewhere: 'no agent of its regions is there to run it' },
  testMonitor: {
    seed: () => ({ body: { url: 'https://shop.example/', timeout: 'PT5S' } }),
    status: 503,
    succeedsElsewhere: 'no agent of the home region is there to run it',
  },
  ...Object.fromEntries(
    MONITOR_TYPES.filter(isTestable).map((type) => {
      const { word, url } = factsOf(type);
      const example: Example = {
        seed: () => ({ body: { url: url.example, timeout: 'PT5S' } }),
        status: 503,
        succeedsElsewhere: 'no agent of the home region is there to run it',
      };
      return [`testMonitor${word[0]!.toUpperCase()}${word.slice(1)}`, example];
    }),
  ),
  testMonitorSsl: {
    seed: () => ({ body: { url: 'https://shop.example/' } }),
    status: 503,
    succeedsElsewhere: 'no agent of the home region is there to run it',
  },
  testMonitorDns: {
    seed: () => ({ body: { hostname: 'shop.example', recordTypes: ['A', 'MX'], resolvers: ['1.1.1.1'] } }),
    status: 503,
    succeedsElsewhere: 'no agent of the home region is there to run it',
  },
  getMonitorAvailability: { seed: oneMonitor },
  getMonitorLatency: { seed: oneMonitor },
  listReportSchedules: {
    seed: async (world) => {
      await seedMonitor(world, { reporting: { dailyReport: true } });
      return {};
    },
    check: ({ body }) => expect(body[0].next).to.include({ weekly: null, monthly: null }),
  },
  showReport: {
    seed: async (world) => ({ params: { workspaceId: world.workspaceId, ...(await oneMonitor(world)).params } }),
    check: ({ body }) => expect(body).to.include('<h1>'),
  },
  generateReport: {
    seed: async (world) => ({
      ...(await oneMonitor(world)),
      body: { startDate: '2026-11-20T00:00:00Z', endDate: '2026-11-21T00:00:00Z', format: 'json' },
    }),
    check: ({ body }) =>
      expect(body).to.deep.include({
        periodStart: '2026-11-20T00:00:00.000Z',
        incidents: { total: 0, totalTimeToRecovery: null, meanTimeToRecovery: null, items: [] },
      }),
  },
  getMonitorSslStatus: {
    seed: (world) => checkedMonitor(world, { detail: certificate(30) }),
    check: ({ body }) => expect(body).to.deep.include({ isValid: true, daysUntilExpiry: 30, region: 'northeurope' }),
  },
  getMonitorDomainStatus: {
    seed: async (world) => {
      const { id } = await seedMonitor(world, { url: 'https://www.shop.example/', monitorTypes: ['Domain'] });
      return { params: { id } };
    },
    check: ({ body }) => expect(body).to.include({ domain: 'shop.example', state: null }),
  },
  listMonitorSslHistory: {
    seed: (world) => checkedMonitor(world, { detail: certificate(30) }),
    check: ({ body }) => expect(body).to.have.nested.property('[0].daysUntilExpiry', 30),
  },
  getMonitorDnsHistory: {
    seed: (world) => checkedMonitor(world, { detail: answer({ A: ['203.0.113.7'] }) }),
    check: ({ body }) => expect(body).to.have.nested.property('history[0].records.A[0]', '203.0.113.7'),
  },
};
