import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { Fault } from '@watchpost/shared/fault';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { readAvailability, readLatency, type ReportDeps } from '@watchpost/control-plane/capabilities/figures/index';
import {
  agentIn,
  BLIND,
  DOWN,
  NOON,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSeed,
  type TestDeps,
} from '../results/seed.js';
import { databaseForSuite } from '../../support/suite.js';

describe('The reports on a monitor', () => {
  const test = databaseForSuite();
  let deps: TestDeps & ReportDeps;
  let workspaceId: string;
  let monitor: MonitorSeed;

  before(async () => {
    workspaceId = (await seedWorkspace(test.database)).id;
  });
  beforeEach(async () => {
    deps = { ...resultsDeps(test.database), retentionDays: 35 };
    [monitor] = (await seedMonitors(test.database, workspaceId, 1, {
      regions: ['eastus2'],
      createdMs: NOON - 40 * DAY_MS,
    })) as [MonitorSeed];
  });

  const faultOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(Fault);
    return error as Fault;
  };
  const availability = (startDate?: number, endDate?: number, id = monitor.id, workspace = workspaceId) =>
    readAvailability(deps, workspace, id, { startDate, endDate });
  const latency = (query: { startDate?: number; endDate?: number; points?: number } = {}) =>
    readLatency(deps, workspaceId, monitor.id, { points: 300, ...query });

  it('count conclusive checks by region, and divide the period into spans without gaps', async () => {
    const home = [UP, UP, DOWN, BLIND, UP, UP].map((outcome, minute) =>
      resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome),
    );
    const abroad = [UP, UP, UP, UP, UP, DOWN].map((outcome, minute) =>
      resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome),
    );
    deps.clock.set(NOON + 20 * MINUTE_MS);
    await ingestBatch(deps, agentIn('northeurope'), home);
    await ingestBatch(deps, agentIn('eastus2'), abroad);

    const report = await availability(NOON - MINUTE_MS, NOON + 60 * MINUTE_MS);
    expect(report).to.deep.include({
      monitorId: monitor.id,
      periodStart: new Date(NOON - MINUTE_MS).toISOString(),
      periodEnd: new Date(NOON + 20 * MINUTE_MS).toISOString(),
      totalChecks: 11,
      healthyChecks: 9,
      unhealthyChecks: 2,
      uptimePercentage: 81.8182,
    });
    expect(report.regions).to.deep.equal([
      { region: 'northeurope', totalChecks: 5, healthyChecks: 4, unhealthyChecks: 1, uptimePercentage: 80 },
      { region: 'eastus2', totalChecks: 6, healthyChecks: 5, unhealthyChecks: 1, uptimePercentage: 83.3333 },
    ]);
    const minutes = report.timeline.map(({ start, end, status }) => [
      (Date.parse(start) - NOON) / MINUTE_MS,
      (Date.parse(end) - NOON) / MINUTE_MS,
      status,
    ]);
    expect(minutes).to.deep.equal([
      [-1, 0, 'unknown'],
      [0, 2, 'available'],
      [2, 4, 'partial'],
      [4, 5, 'available'],
      [5, 7.5, 'partial'],
      [7.5, 20, 'unknown'],
    ]);
  });

  it('include the last result before the period while it is fresh', async () => {
    deps.clock.set(NOON + MINUTE_MS);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON - MINUTE_MS)]);
    const report = await availability(NOON, NOON + MINUTE_MS);
    expect(report).to.include({ totalChecks: 0, uptimePercentage: null });
    expect(report.timeline.map(({ status }) => status)).to.deep.equal(['available']);
  });

  it('are empty, and unknown, where nothing was checked', async () => {
    const report = await availability();
    expect(report).to.include({ totalChecks: 0, uptimePercentage: null });
    expect(report.timeline).to.have.length(1);
    expect(await latency()).to.deep.include({
      unit: 'ms',
      average: null,
      p95: null,
      series: [],
      phases: { dns: null, connect: null, tls: null, firstByte: null, transfer: null },
    });
  });

  it('measure the latency of successful checks in milliseconds, by region and over time', async () => {
    const timed = (minute: number, ms: number, outcome = UP) => ({
      ...resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome),
      totalUs: ms * 1_000,
    });
    deps.clock.set(NOON + 11 * MINUTE_MS);
    await ingestBatch(deps, agentIn('northeurope'), [
      ...Array.from({ length: 10 }, (_, minute) => timed(minute, 10 * (minute + 1))),
      timed(10, 30_000, DOWN),
    ]);
    await ingestBatch(deps, agentIn('eastus2'), [timed(0, 200)]);
    const report = await latency({ startDate: NOON, endDate: NOON + 10 * MINUTE_MS, points: 2 });
    expect(report).to.include({ average: 68.18, min: 10, max: 200, p50: 60, p90: 100 });
    expect(report.phases).to.deep.equal({ dns: 1.5, connect: 9, tls: 20, firstByte: 11, transfer: 1 });
    expect(
      report.series.map(({ time, average, checks }) => [(Date.parse(time) - NOON) / MINUTE_MS, average, checks]),
    ).to.deep.equal([
      [0, 58.33, 6],
      [5, 80, 5],
    ]);
    expect(report.regions.map(({ region, average, p95, p99 }) => [region, average, p95, p99])).to.deep.equal([
      ['northeurope', 55, 95.5, 99.1],
      ['eastus2', 200, 200, 200],
    ]);
  });

  it('never have more points than requested', async () => {
    deps.clock.set(NOON + 100 * MINUTE_MS);
    await ingestBatch(
      deps,
      agentIn('northeurope'),
      Array.from({ length: 100 }, (_, minute) => resultOf(monitor.key, NOON + minute * MINUTE_MS)),
    );
    for (const points of [1, 7, 99, 2_000]) {
      const { series } = await latency({ startDate: NOON + 1, endDate: NOON + 100 * MINUTE_MS - 1, points });
      expect(series.length).to.be.at.most(points);
      expect(series.reduce((sum, { checks }) => sum + checks, 0)).to.equal(99);
    }
  });

  it('are not available to other workspaces', async () => {
    const other = await seedWorkspace(test.database);
    expect((await faultOf(availability(undefined, undefined, monitor.id, other.id))).code).to.equal('not_found');
    expect((await faultOf(availability(undefined, undefined, newId(NOON)))).code).to.equal('not_found');
    expect((await faultOf(readLatency(deps, other.id, monitor.id, { points: 10 }))).code).to.equal('not_found');
  });

  it('refuse a period that lies in the future, is empty or is too long', async () => {
    for (const [start, end, path] of [
      [NOON + 1, NOON + 2, 'startDate'],
      [NOON - 5, NOON - 5, 'endDate'],
      [NOON - 401 * DAY_MS, NOON, 'startDate'],
      [-1, 5, 'startDate'],
      [undefined, 5, 'endDate'],
    ] as const) {
      const fault = await faultOf(availability(start, end));
      expect(fault.code).to.equal('validation_failed');
      expect(fault.details.map((detail) => detail.path)).to.deep.equal([path]);
    }
  });

  it('cover 30 days of minute checks from three regions, and take no minutes as a plan without indexes would', async function () {
    const start = NOON - 30 * DAY_MS;
    await deps.partitions.ensureFor(Array.from({ length: 31 }, (_, day) => start + day * DAY_MS));
    await test.sql(
      `INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us, agent_key,
           start_lag_ms, fresh_s, status_code, kind, region, outcome)
         SELECT $1, $2::timestamptz + minute * interval '1 minute', 40000 + (minute * 7919) % 20000, 1, 1, 1, 1, 1, 7, 3, 150, 200, 1, region,
           CASE WHEN minute % 1000 < 3 THEN 2 ELSE 1 END
         FROM generate_series(0, 30 * 1440 - 1) AS minute, generate_series(1, 3) AS region`,
      [monitor.key, new Date(start)],
    );
    await test.sql('ANALYZE check_result');
    expect((await availability(start)).totalChecks).to.equal(3 * 30 * 1_440);
    expect((await latency({ startDate: start })).p95).to.be.a('number');
  });
});
