import { expect } from 'chai';
import type { AddressResult, CheckFindings, CheckResult, Outcome } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { describeMonitor } from '@watchpost/control-plane/capabilities/monitors/describe-monitor';
import { monitorViewStore } from '@watchpost/control-plane/capabilities/monitors/monitor-view-store';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { certificate, monitorState } from './detail-seed.js';
import {
  agentIn,
  BLIND,
  DOWN,
  NOON,
  resultOf,
  resultsDeps,
  seedLoneMonitor,
  seedWorkspace,
  UP,
} from '../results/seed.js';
import type { MonitorSeed } from '../results/seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';

const PARTLY: Outcome = { ...DOWN, message: '1 of 2 addresses failed: …', isPartial: true } as Outcome;
const address = (last: number, status: AddressResult['status'] = 'available'): AddressResult => ({
  address: `192.0.2.${last}`,
  status,
  responseUs: status === 'notChecked' ? null : 12_500,
  certificateFingerprint: 'AB:CD',
  message: status === 'available' ? null : 'The server at 192.0.2.2:443 refused the connection.',
});
const BOTH = [address(1), address(2)];
const ONE = [address(1), address(2, 'unavailable')];

describe('The addresses that checks find', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;

  beforeEach(async () => {
    monitor = await seedLoneMonitor(test.database, { regions: ['eastus2'], checksBeforeAlert: 1 }, { quorum: 'any' });
  });

  const observe = (
    minute: number,
    outcome: Outcome,
    found: CheckFindings = {},
    region: 'northeurope' | 'eastus2' = 'northeurope',
  ) => {
    deps.clock.set(NOON + minute * MINUTE_MS + 500);
    const result = { ...resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome), ...found };
    return ingestBatch(deps, agentIn(region), [result]);
  };
  const query = <Row extends object>(sql: string) => test.sql<Row>(sql, [monitor.key]);
  const incident = async () =>
    (
      await query<{ severity: string; isClosed: boolean; context: { failures: { evidence: object }[] } }>(
        'SELECT severity, is_closed AS "isClosed", context FROM incident WHERE monitor_key = $1 ORDER BY started DESC',
      )
    )[0];
  const { health } = monitorState(test, () => monitor);
  const view = async (workspaceId = monitor.workspaceId) => {
    const now = new Date(deps.clock.now());
    const row = await test.database.read((tx) => monitorViewStore.find(workspaceId, tx, monitor.id, now));
    return row && describeMonitor(row, deps.clock.now(), () => null);
  };
  const shown = async () =>
    (await view())!.addresses.map((one) => `${one.region} ${one.address} ${one.status} ${one.since.slice(11, 16)}`);

  it('make an incident partial while some work, down when none does, and close it when all do', async () => {
    await observe(0, UP, { addresses: BOTH });
    await observe(1, PARTLY, { addresses: ONE });
    expect(await incident()).to.include({ severity: 'partial', isClosed: false });
    expect((await incident())!.context.failures[0]!.evidence).to.deep.include({
      addresses: [
        { address: '192.0.2.1', status: 'available', responseTime: 12.5, message: null },
        { address: '192.0.2.2', status: 'unavailable', responseTime: 12.5, message: ONE[1]!.message },
      ],
    });
    expect(await health()).to.deep.equal({ verdict: 'partial', health: 'degraded' });
    await observe(2, DOWN, { addresses: [address(1, 'unavailable'), address(2, 'unavailable')] });
    expect(await incident()).to.include({ severity: 'down', isClosed: false });
    expect(await health()).to.deep.equal({ verdict: 'unavailable', health: 'unavailable' });
    await observe(3, PARTLY, { addresses: ONE });
    expect(await incident()).to.include({ severity: 'partial', isClosed: false });
    await observe(4, UP, { addresses: BOTH });
    expect(await incident()).to.include({ isClosed: true });
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  it('are shown by region, with the time since when each is as it is', async () => {
    await observe(0, UP, { addresses: BOTH });
    await observe(0, UP, { addresses: [address(1), address(3, 'notChecked')] }, 'eastus2');
    await observe(1, PARTLY, { addresses: ONE });
    await observe(2, PARTLY, { addresses: ONE });
    expect(await shown()).to.have.members([
      'northeurope 192.0.2.1 available 12:00',
      'northeurope 192.0.2.2 unavailable 12:01',
      'eastus2 192.0.2.1 available 12:00',
      'eastus2 192.0.2.3 notChecked 12:00',
    ]);
    const { addresses } = (await view())!;
    expect(addresses.find(({ status }) => status === 'notChecked')).to.include({
      responseTime: null,
      certificateFingerprint: 'AB:CD',
    });
    // Late and repeated results change nothing.
    const before = await view();
    await observe(1, UP, { addresses: BOTH });
    deps.clock.set(NOON + 2 * MINUTE_MS + 500);
    expect(await view()).to.deep.equal(before);
  });

  it('stay over a check that is inconclusive, and are gone with the check that does not look at them', async () => {
    await observe(0, UP, { addresses: BOTH });
    await observe(1, BLIND);
    expect(await shown()).to.have.length(2);
    await observe(2, UP);
    expect(await shown()).to.deep.equal([]);
  });

  it('are warnings of the result and the monitor until the next check has none', async () => {
    const addressWarnings = ['The server at [2001:db8::1]:443 refused the connection.'];
    await observe(0, UP, { addressWarnings });
    expect(await view()).to.deep.include({ addressWarnings, addresses: [], healthStatus: 'available' });
    expect((await view())!.latestTestResult).to.deep.include({ addressWarnings, wasAvailable: true });
    await observe(1, UP);
    expect(await view()).to.deep.include({ addressWarnings: [] });
    expect((await view())!.latestTestResult).to.not.have.property('addressWarnings');
  });

  it('are stored for monitors that exist and are checked in the region, and are seen by their own workspace', async () => {
    await observe(0, UP, { addresses: BOTH });
    const other = await seedWorkspace(test.database);
    expect(await view(other.id)).to.equal(undefined);
    const stored = () => query<{ region: number }>('SELECT region FROM check_finding WHERE monitor_key >= $1');
    expect(await stored()).to.have.length(1);
    const foreign = { ...resultOf(monitor.key + 1_000, NOON, UP), addresses: BOTH };
    await ingestBatch(deps, agentIn('northeurope'), [foreign]);
    await ingestBatch(deps, agentIn('japaneast'), [{ ...resultOf(monitor.key, NOON, UP), addresses: BOTH }]);
    expect(await stored()).to.have.length(1);
  });

  describe('of services and certificates', () => {
    const make = async (type: string, ssl?: object) => {
      monitor = await seedLoneMonitor(test.database, { types: [type], regions: ['eastus2'] });
      const sql = `UPDATE monitor SET settings = settings || jsonb_build_object('ssl', $2::jsonb) WHERE key = $1`;
      if (ssl) await test.sql(sql, [monitor.key, ssl]);
    };
    /** Both regions, in each minute. */
    const see = async (kind: 'ssl' | 'tcpUdp', minutes: number[], outcome: Outcome, found: Partial<CheckResult>) => {
      for (const minute of minutes)
        for (const region of ['northeurope', 'eastus2'] as const) {
          deps.clock.set(NOON + minute * MINUTE_MS + 500);
          const result = { ...resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome, kind), ...found };
          await ingestBatch(deps, agentIn(region), [result]);
        }
      await sweepSilence(deps);
    };
    const NONE = [address(1, 'unavailable'), address(2, 'unavailable')];

    it('make a service partly down, or down, also while the agents are blind', async () => {
      await make('TcpUdp');
      await see('tcpUdp', [0], UP, { addresses: BOTH });
      await see('tcpUdp', [1, 2], PARTLY, { addresses: ONE });
      expect(await health()).to.deep.equal({ verdict: 'partial', health: 'degraded' });
      await see('tcpUdp', [3], BLIND, {});
      expect(await incident()).to.include({ severity: 'partial', isClosed: false });
      expect(await shown()).to.have.length(4);
      await see('tcpUdp', [4, 5], DOWN, { addresses: NONE });
      expect(await incident()).to.include({ severity: 'down', isClosed: false });
      await see('tcpUdp', [6], UP, { addresses: BOTH });
      expect(await incident()).to.include({ isClosed: true });
    });

    it('are those that the present agent found, when a former one sends late what it ran in its own epoch', async () => {
      await make('TcpUdp');
      const former = { ...agentIn('northeurope'), agentId: '0198c0de-0000-7000-8000-00000000000b', agentKey: 99 };
      const at = (minute: number, outcome: Outcome, addresses: AddressResult[]) => ({
        ...resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome, 'tcpUdp'),
        addresses,
      });
      await see('tcpUdp', [1, 2], UP, { addresses: BOTH });
      const before = await view();
      const late = [0, 1, 2].map((minute) => at(minute, PARTLY, ONE));
      expect(await ingestBatch(deps, former, late)).to.include({ stored: 1, repeated: 2 });
      await sweepSilence(deps);
      expect((await view())!.addresses).to.deep.equal(before!.addresses);
      expect(await incident()).to.equal(undefined);
      expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
    });

    for (const [what, outcome, severity] of [
      ['partly', PARTLY, 'partial'],
      ['where each must work', DOWN, 'down'],
    ] as const)
      it(`are a fault of a certificate that one of them does not show, ${what}, and not where none does`, async () => {
        await make('SslCertificate', severity === 'down' ? { addresses: 'each', eachMustWork: true } : undefined);
        await see('ssl', [0], UP, { addresses: BOTH, detail: certificate(60) });
        await see('ssl', [1, 2, 3], DOWN, { addresses: NONE });
        expect(await health(), 'a subject of availability').to.deep.equal({ verdict: 'unknown', health: null });
        await see('ssl', [4, 5], outcome, { addresses: ONE, detail: certificate(60) });
        expect(await health()).to.deep.equal({ verdict: 'partial', health: 'degraded' });
        expect(await incident()).to.include({ severity, isClosed: false });
        await see('ssl', [6], BLIND, {});
        expect(await incident()).to.include({ isClosed: false });
        await see('ssl', [7], UP, { addresses: BOTH, detail: certificate(60) });
        expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
        expect(await incident()).to.include({ isClosed: true });
        // A fault of the certificate itself, at every address, leaves the site available.
        const expired = { ...DOWN, phase: 'tls', reason: 'certificate_invalid', message: 'It has expired.' } as Outcome;
        await see('ssl', [20, 21], expired, { addresses: NONE, detail: certificate(60) });
        expect(await incident()).to.include({ severity: severity === 'down' ? 'down' : 'warning', isClosed: false });
      });
  });
});
