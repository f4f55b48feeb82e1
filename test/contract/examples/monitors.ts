import { expect } from 'chai';
import { seedMonitor, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';
import { seedServiceGroup } from './service-groups.js';

const oneMonitor = async (world: World) => ({ params: { id: (await seedMonitor(world)).id } });

export const monitorExamples: Examples = {
  listMonitors: { seed: async (world) => void (await seedMonitor(world)) },
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
    seed: async (world) => ({ ...(await oneMonitor(world)), body: { name: 'Shop, renamed', checkInterval: 'PT10M' } }),
    foreignBody: async (_world, foreign) => ({ serviceGroupId: await seedServiceGroup(foreign) }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Shop, renamed', checkInterval: 'PT10M' }),
  },
  deleteMonitor: { seed: oneMonitor },
  testMonitor: {
    seed: () => ({ body: { url: 'https://shop.example/', timeout: 'PT5S' } }),
    status: 503,
    succeedsElsewhere: 'no agent of the home region is there to run it',
  },
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
  getMonitorSslStatus: { seed: oneMonitor },
  listMonitorSslHistory: { seed: oneMonitor },
  getMonitorDnsHistory: { seed: oneMonitor },
};
