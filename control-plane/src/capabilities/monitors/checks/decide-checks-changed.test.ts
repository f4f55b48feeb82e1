import { expect } from 'chai';
import { decideChecksChanged } from './decide-checks-changed.js';
import { decideChangedSettings, decideNewSettings } from '../settings/decide-monitor-settings.js';
import type { MonitorUpdateInput } from '../settings/monitor-input-schemas.js';

const before = decideNewSettings({
  url: 'https://shop.example/',
  enabledRegions: ['eastus2', 'japaneast'],
  http: { headers: { Cookie: 'a=1' } },
});
const isDue = (change: MonitorUpdateInput, from = before) =>
  decideChecksChanged(from, decideChangedSettings(from.settings, from.secrets, change));
const paused = decideChangedSettings(before.settings, before.secrets, { monitoringStatus: 'paused' });

describe('whether a change calls for a check at once', () => {
  it('does where a check depends on it', () => {
    for (const change of [
      { url: 'https://shop.example/other' },
      { checkInterval: 60_000 },
      { checkTimeout: 5_000 },
      { monitorTypes: ['HttpAvailability', 'Latency'] },
      { enabledRegions: ['eastus2'] },
      { enabledRegions: ['eastus2', 'japaneast', 'westus3'] },
      { http: { method: 'HEAD' } },
      { http: { keyword: 'x' } },
      { http: { headers: { Cookie: 'a=2' } } },
      { http: { headers: {} } },
      { http: { expectedStatusCodes: [200] } },
      { http: { verifyCertificate: false } },
    ] satisfies MonitorUpdateInput[]) {
      expect(isDue(change), JSON.stringify(change)).to.equal(true);
    }
  });

  it('does not where people or the verdict alone depend on it', () => {
    for (const change of [
      {},
      { name: 'Shop' },
      { numberOfChecksBeforeAlert: 5 },
      { numberOfChecksBeforeRecovery: 5 },
      { reporting: { dailyReport: true } },
      { latency: { thresholdMs: 9 } },
      { ssl: { incidentDays: 1 } },
      { dns: { checkPropagation: false } },
      { tcpUdp: { send: 'x' } },
      { enabledRegions: ['japaneast', 'eastus2'] },
      { http: { headers: { Cookie: '***' } } },
      { url: 'https://shop.example/', checkInterval: 300_000 },
    ] satisfies MonitorUpdateInput[]) {
      expect(isDue(change), JSON.stringify(change)).to.equal(false);
    }
  });

  it('does of what its types are judged by, and of no other type', () => {
    const byLifetime = decideNewSettings({ url: 'https://shop.example/', monitorTypes: ['SslCertificate'] });
    expect(isDue({ monitorTypes: ['SslCertificate', 'Dns'] }, byLifetime)).to.equal(true);
    const watched = { url: 'https://shop.example/', monitorTypes: ['SslCertificate', 'Dns'] } as const;
    const both = decideNewSettings({ ...watched, monitorTypes: [...watched.monitorTypes] });
    for (const change of [
      { ssl: { incidentDays: 1 } },
      { dns: { recordTypes: ['A'] } },
      { dns: { resolvers: ['1.1.1.1'] } },
      { dns: { expectedRecords: { A: { match: 'any', values: ['192.0.2.1'] } } } },
    ] satisfies MonitorUpdateInput[])
      expect(isDue(change, both), JSON.stringify(change)).to.equal(true);
    for (const change of [
      { ssl: { expiryThresholdDays: [3] } },
      { tcpUdp: { expect: 'x' } },
      { http: { method: 'HEAD' } },
    ] satisfies MonitorUpdateInput[])
      expect(isDue(change, both), JSON.stringify(change)).to.equal(false);
    const service = decideNewSettings({ url: 'tcp://shop.example:22', monitorTypes: ['TcpUdp'] });
    expect(isDue({ tcpUdp: { expect: 'SSH' } }, service)).to.equal(true);
  });

  it('does where a monitor is enabled, and not while it is not', () => {
    expect(isDue({ monitoringStatus: 'paused' })).to.equal(false);
    expect(isDue({ monitoringStatus: 'enabled' }, paused)).to.equal(true);
    expect(isDue({ monitoringStatus: 'disabled' }, paused)).to.equal(false);
    expect(isDue({ url: 'https://other.example/' }, paused)).to.equal(false);
  });
});
