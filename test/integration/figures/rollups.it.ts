import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { ManualClock } from '@watchpost/shared/clock';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import {
  decideTimeline,
  decideUptime,
  dropExpiredHours,
  readAvailability,
  readJointCounts,
  readJointRecent,
  readJointSpans,
  readLatency,
  readPeriodSummary,
  rolledUpUntil,
  rollUpResults,
  type RegionSpan,
  type ReportDeps,
} from '@watchpost/control-plane/capabilities/figures/index';
import { readUptime } from '@watchpost/control-plane/capabilities/figures/reading/read-uptime';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { showRollups } from '@watchpost/control-plane/capabilities/figures/rollup/rollup-metrics';
import { readRollupProgress } from '@watchpost/control-plane/capabilities/figures/rollup/roll-up';
import { seriesStore } from '@watchpost/control-plane/capabilities/verdicts/verdict/series-store';
import { createTestDatabase } from '../../support/database.js';
import { databaseForEach } from '../../support/suite.js';
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

const STEP = 15 * MINUTE_MS;
const START = NOON - 3 * DAY_MS - 7 * MINUTE_MS;
const REGIONS: readonly Region[] = ['northeurope', 'eastus2'];

interface Arrival {
  region: Region;
  result: CheckResult;
  atMs: number;
}

/** Three days of checks from two regions, with failures, silence, blindness, and one result in ten up to 30 h late. */
function arrivalsOf(monitorKey: number, seed: number): Arrival[] {
  let state = seed;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const arrivals: Arrival[] = [];
  for (const region of REGIONS) {
    for (let dueMs = START; dueMs < NOON; dueMs += STEP) {
      const [dice, late] = [random(), random()];
      if (dice < 0.05) continue;
      const outcome: Outcome = dice < 0.12 ? DOWN : dice < 0.16 ? BLIND : UP;
      const result = {
        ...resultOf(monitorKey, dueMs + Math.floor(random() * 1_000), outcome),
        totalUs: Math.floor(20_000 * Math.exp(3 * random())),
        freshMs: random() < 0.8 ? 2 * STEP + 30_000 : STEP / 2,
      };
      const delayMs = late < 0.1 ? Math.floor(random() * 30 * HOUR_MS) : 1_000;
      arrivals.push({ region, result, atMs: result.scheduledAtMs + delayMs });
    }
  }
  return arrivals.toSorted((a, b) => a.atMs - b.atMs);
}

/** What anybody would count by hand in the results that are there. */
function byHand(stored: readonly Arrival[], startMs: number, endMs: number) {
  const conclusive = stored.filter(({ result }) => result.outcome.kind !== 'inconclusive');
  const due = conclusive.filter(({ result }) => result.scheduledAtMs >= startMs && result.scheduledAtMs < endMs);
  const healthy = due.filter(({ result }) => result.outcome.kind === 'up');
  const spans = REGIONS.flatMap((region, series): RegionSpan[] => {
    const own = conclusive
      .filter((arrival) => arrival.region === region)
      .map(({ result }) => result)
      .toSorted((a, b) => a.scheduledAtMs - b.scheduledAtMs);
    return own.map((result, index) => ({
      series,
      startMs: result.scheduledAtMs,
      endMs: Math.min(
        result.scheduledAtMs + Math.ceil(result.freshMs / 1_000) * 1_000,
        own[index + 1]?.scheduledAtMs ?? Infinity,
      ),
      up: result.outcome.kind === 'up',
    }));
  });
  return {
    counts: {
      totalChecks: due.length,
      healthyChecks: healthy.length,
      unhealthyChecks: due.length - healthy.length,
      uptimePercentage: decideUptime(healthy.length, due.length - healthy.length),
    },
    timeline: decideTimeline(spans, startMs, endMs).map((span) => ({
      start: new Date(span.startMs).toISOString(),
      end: new Date(span.endMs).toISOString(),
      status: span.status,
    })),
    totals: healthy.map(({ result }) => result.totalUs / 1_000).toSorted((a, b) => a - b),
  };
}

/** As percentile_cont. */
function percentile(sorted: readonly number[], share: number): number {
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
}

describe('Rollups', function () {
  // Three days of results take their time on a busy machine.
  const test = databaseForEach();
  let deps: TestDeps & ReportDeps;
  let workspaceId: string;
  let monitor: MonitorSeed;

  beforeEach(async () => {
    deps = { ...resultsDeps(test.database), retentionDays: 35 };
    workspaceId = (await seedWorkspace(test.database)).id;
    [monitor] = (await seedMonitors(test.database, workspaceId, 2, {
      regions: ['eastus2'],
      createdMs: START - DAY_MS,
    })) as [MonitorSeed];
    await test.sql('UPDATE monitor SET check_interval_ms = $1', [STEP]);
    deps.clock.set(START);
    await deps.partitions.makeAhead();
  });

  const progress = () => readRollupProgress(deps);
  const availability = (startDate: number, endDate: number) =>
    readAvailability(deps, workspaceId, monitor.id, { startDate, endDate });

  /** Lets time and results come in until `untilMs`. */
  async function letCome(
    arrivals: readonly Arrival[],
    fromMs: number,
    untilMs: number,
    stepMs = HOUR_MS,
  ): Promise<void> {
    for (let atMs = fromMs; atMs < untilMs; atMs += stepMs) {
      const endMs = Math.min(atMs + stepMs, untilMs);
      deps.clock.set(endMs);
      await Promise.all(
        REGIONS.map(async (region) => {
          const batch = arrivals.filter((one) => one.region === region && one.atMs >= atMs && one.atMs < endMs);
          if (batch.length > 0)
            await ingestBatch(
              deps,
              agentIn(region),
              batch.map(({ result }) => result),
            );
        }),
      );
    }
  }

  async function expectByHand(stored: readonly Arrival[], startMs: number, endMs: number): Promise<void> {
    const { counts, timeline, totals } = byHand(stored, startMs, endMs);
    const report = await availability(startMs, endMs);
    expect(report).to.deep.include({ ...counts, sampleInterval: null });
    expect(report.timeline).to.deep.equal(timeline);
    expect(report.regions.reduce((sum, { totalChecks }) => sum + totalChecks, 0)).to.equal(counts.totalChecks);
    const uptime = await readUptime(deps, workspaceId, monitor.id, { startMs, endMs });
    expect(uptime).to.deep.equal({
      startMs,
      endMs,
      total: counts.totalChecks,
      healthy: counts.healthyChecks,
      unhealthy: counts.unhealthyChecks,
      uptimePercentage: counts.uptimePercentage,
      maintenanceSeconds: 0,
      uptimePercentageWithMaintenance: counts.uptimePercentage,
    });
    const latency = await readLatency(deps, workspaceId, monitor.id, {
      startDate: startMs,
      endDate: endMs,
      points: 20,
    });
    expect(latency.series.length).to.be.at.most(20);
    expect(latency.series.reduce((sum, { checks }) => sum + checks, 0)).to.equal(counts.healthyChecks);
    if (totals.length === 0) return void expect(latency.average).to.equal(null);
    expect(latency.average).to.be.closeTo(totals.reduce((sum, ms) => sum + ms, 0) / totals.length, 0.011);
    expect(latency.min).to.be.closeTo(totals[0]!, 0.011);
    expect(latency.max).to.be.closeTo(totals.at(-1)!, 0.011);
    for (const [share, actual] of [
      [0.5, latency.p50],
      [0.9, latency.p90],
      [0.95, latency.p95],
      [0.99, latency.p99],
    ] as const) {
      const right = percentile(totals, share);
      expect(actual).to.be.within(right * 0.99 - 0.011, right * 1.01 + 0.011);
    }
  }

  it('yield what counting the rows yields: with late results, open hours, and any bounds', async () => {
    const arrivals = arrivalsOf(monitor.key, 20_261_121);
    const hours = (NOON + 6 * HOUR_MS - START) / HOUR_MS;
    let [seen, atMs] = [0, START];
    for (let untilMs = START + 5 * HOUR_MS; atMs < NOON + 6 * HOUR_MS; untilMs += 5 * HOUR_MS) {
      await letCome(arrivals, atMs, untilMs, 30 * MINUTE_MS);
      // Sometimes it falls behind.
      if (seen % 3 !== 1) await rollUpResults(deps);
      [seen, atMs] = [seen + 1, untilMs];
      const stored = arrivals.filter((one) => one.atMs < untilMs);
      const moment = fc.oneof(
        fc.nat(hours * HOUR_MS),
        fc.nat(Math.floor(hours)).map((hour) => hour * HOUR_MS + 7 * MINUTE_MS),
        fc.nat(3).map((day) => day * DAY_MS + 12 * HOUR_MS + 7 * MINUTE_MS),
      );
      await fc.assert(
        fc.asyncProperty(moment, moment, async (a, b) => {
          const startMs = START - HOUR_MS + Math.min(a, b);
          const endMs = Math.min(untilMs, START - HOUR_MS + Math.max(a, b) + 1);
          if (startMs < endMs) await expectByHand(stored, startMs, endMs);
        }),
        { numRuns: 6, seed: seen },
      );
    }
    const [kept] = await test.sql<{ hours: number; days: number }>(
      'SELECT (SELECT count(*) FROM check_rollup) AS hours, (SELECT count(*) FROM check_rollup_day) AS days',
    );
    expect(kept!.hours).to.be.within(2 * 72, 2 * 75);
    expect(kept!.days).to.equal(2 * 3);
  });

  it('are computed by several processes at once while late results arrive, and none is lost', async () => {
    const arrivals = arrivalsOf(monitor.key, 7);
    await letCome(arrivals, START, NOON);
    const late = arrivals.filter(({ atMs }) => atMs >= NOON);
    const rolling = [1, 2, 3].map(async () => {
      for (let round = 0; round < 8; round++) await rollUpResults(deps);
    });
    for (let index = 0; index < late.length; index += 5) {
      for (const region of REGIONS) {
        const batch = late.slice(index, index + 5).filter((one) => one.region === region);
        await ingestBatch(
          deps,
          agentIn(region),
          batch.map(({ result }) => result),
        );
      }
    }
    await Promise.all(rolling);
    await rollUpResults(deps);
    expect((await progress()).waiting).to.equal(0);
    await expectByHand(arrivals, START, NOON);
    await expectByHand(arrivals, NOON - 2 * DAY_MS, NOON - DAY_MS);
  });

  it('contain all figures after the results are dropped, and by days after the hours are dropped too', async () => {
    deps = { ...deps, ...resultsDeps(test.database, 2), retentionDays: 2 };
    deps.clock.set(START);
    const arrivals = arrivalsOf(monitor.key, 99).filter(({ atMs, result }) => atMs - result.scheduledAtMs < DAY_MS);
    await letCome(arrivals, START, NOON);
    expect(await deps.partitions.dropExpired(await rolledUpUntil(deps))).to.equal(0);
    deps.clock.set(NOON + 7 * DAY_MS);
    await rollUpResults(deps);
    expect(await deps.partitions.dropExpired(await rolledUpUntil(deps))).to.be.above(0);
    expect(await test.sql('SELECT 1 FROM check_result')).to.deep.equal([]);

    const stored = arrivals.filter(({ atMs }) => atMs < NOON);
    const [from, to] = [Math.ceil(START / HOUR_MS) * HOUR_MS, NOON];
    await expectByHand(stored, from, to);
    await expectByHand(stored, from + 5 * HOUR_MS, to - 7 * HOUR_MS);
    // bounds between hours are moved to whole hours, which the answer contains
    const { periodStart, periodEnd } = await availability(from + 1, to - 1);
    expect([periodStart, periodEnd]).to.deep.equal([new Date(from).toISOString(), new Date(to).toISOString()]);

    deps.clock.set(NOON + 420 * DAY_MS);
    expect(await dropExpiredHours(deps)).to.be.above(2 * 70);
    const midnight = NOON - 12 * HOUR_MS;
    await expectByHand(stored, midnight - 2 * DAY_MS, midnight);
    const old = await availability(midnight - DAY_MS + 1, midnight - 1);
    expect(old.periodStart).to.equal(new Date(midnight - DAY_MS).toISOString());
    expect(old.periodEnd).to.equal(new Date(midnight).toISOString());
  });

  it('count the packets of pings, those of failures too, from results, hours and days alike', async () => {
    deps = { ...deps, ...resultsDeps(test.database, 2), retentionDays: 2 };
    const [ping] = (await seedMonitors(test.database, workspaceId, 1, {
      regions: ['eastus2'],
      createdMs: START - DAY_MS,
      types: ['Ping'],
    })) as [MonitorSeed];
    await test.sql('UPDATE monitor SET check_interval_ms = $1', [STEP]);
    const arrivals = arrivalsOf(ping.key, 7).flatMap(({ region, result, atMs }): Arrival[] => {
      if (atMs >= NOON || atMs - result.scheduledAtMs > HOUR_MS) return [];
      const received = result.outcome.kind === 'up' ? 1 + (result.totalUs % 5) : 0;
      const times = { minMs: null, averageMs: null, maxMs: null, stddevMs: null };
      const figures = result.outcome.kind === 'inconclusive' ? {} : { ping: { sent: 5, received, ...times } };
      const key = { monitorKey: ping.key, kind: 'ping' as const };
      const timings = { ...result.timings, connectUs: 0, tlsUs: 0 };
      return [{ region, atMs, result: { ...result, ...figures, key, timings, statusCode: null } }];
    });
    const expectPackets = async (startDate: number, endDate: number, points: number) => {
      const report = await readLatency(deps, workspaceId, ping.id, { startDate, endDate, points });
      const [startMs, endMs] = [Date.parse(report.periodStart), Date.parse(report.periodEnd)];
      const countsIn = (fromMs: number, toMs: number, region?: string) => {
        const own = arrivals.filter(
          ({ region: of, result: { scheduledAtMs: at } }) => at >= fromMs && at < toMs && (region ?? of) === of,
        );
        const [sent, received] = (['sent', 'received'] as const).map((key) =>
          own.reduce((sum, { result }) => sum + (result.ping?.[key] ?? 0), 0),
        ) as [number, number];
        return { sent, received, lossPercent: Math.round((10_000 * (sent - received)) / sent) / 100 };
      };
      const { series, ...counts } = report.packets!;
      expect(counts).to.deep.equal(countsIn(startMs, endMs));
      expect(series).to.have.length.within(2, points);
      series.forEach(({ time, ...point }, index) => {
        const nextMs = Date.parse(series[index + 1]?.time ?? new Date(endMs).toISOString());
        expect(point).to.deep.equal(countsIn(Date.parse(time), nextMs));
      });
      for (const { region, packets } of report.regions)
        expect(packets).to.deep.include(countsIn(startMs, endMs, region));
      expect(report.regions.map(({ region }) => region)).to.deep.equal(REGIONS);
      expect(report.average).to.be.above(20);
      expect(report.phases).to.include({ dns: 1.5, connect: 0, tls: 0 });
    };

    await letCome(arrivals, START, NOON);
    await expectPackets(NOON - DAY_MS, NOON, 7);
    await expectPackets(START + HOUR_MS, NOON, 20);
    deps.clock.set(NOON + 7 * DAY_MS);
    await rollUpResults(deps);
    await deps.partitions.dropExpired(await rolledUpUntil(deps));
    expect(await test.sql('SELECT 1 FROM check_result')).to.deep.equal([]);
    const from = Math.ceil(START / HOUR_MS) * HOUR_MS;
    await expectPackets(from, NOON, 30);
    deps.clock.set(NOON + 420 * DAY_MS);
    await dropExpiredHours(deps);
    const midnight = NOON - 12 * HOUR_MS;
    await expectPackets(midnight - 2 * DAY_MS, midnight, 2);
    const other = await readLatency(deps, workspaceId, monitor.id, { points: 3 });
    expect(new Set([other, ...other.regions].map(({ packets }) => packets))).to.deep.equal(new Set([null]));
  });

  it('catch up with existing results when they begin, and are not read before that', async () => {
    const arrivals = arrivalsOf(monitor.key, 3).filter(({ atMs }) => atMs < NOON);
    await letCome(arrivals, NOON - 6 * HOUR_MS, NOON);
    await test.sql('DELETE FROM dirty_bucket');
    const stored = arrivals.filter(({ atMs }) => atMs >= NOON - 6 * HOUR_MS);
    await expectByHand(stored, NOON - 6 * HOUR_MS, NOON);
    expect((await progress()).untilMs).to.equal(null);
    await rollUpResults(deps);
    expect(await progress()).to.deep.equal({ waiting: 0, untilMs: NOON - HOUR_MS });
    await expectByHand(stored, NOON - 6 * HOUR_MS, NOON);
    expect(await rollUpResults(deps)).to.equal(0);
  });

  it('close an hour a few minutes after its end, and a result in time makes no bucket dirty', async () => {
    deps.clock.set(NOON);
    await rollUpResults(deps);
    deps.clock.set(NOON + HOUR_MS + 30_000);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON + 59 * MINUTE_MS)]);
    await rollUpResults(deps);
    expect(await progress()).to.deep.equal({ waiting: 0, untilMs: NOON });
    deps.clock.set(NOON + HOUR_MS + 5 * MINUTE_MS);
    await rollUpResults(deps);
    expect((await progress()).untilMs).to.equal(NOON + HOUR_MS);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON + 58 * MINUTE_MS)]);
    expect(await progress()).to.deep.equal({ waiting: 1, untilMs: NOON });
    showRollups(deps.registry, deps);
    const shown = await deps.registry.metrics();
    expect(shown)
      .to.include('watchpost_rollup_waiting_buckets 1\n')
      .and.to.include('watchpost_rollup_lag_seconds 3900\n');
  });

  it('of hours that a clock closed ahead of time are computed again once their results are there', async () => {
    deps.clock.set(NOON);
    await rollUpResults(deps);
    deps.clock.set(NOON + 2 * HOUR_MS + 10 * MINUTE_MS);
    await rollUpResults(deps);
    expect((await progress()).untilMs).to.equal(NOON + 2 * HOUR_MS);
    deps.clock.set(NOON + MINUTE_MS);
    await rollUpResults(deps);
    expect((await progress()).untilMs, 'the clock is right again').to.equal(NOON - HOUR_MS);
    deps.clock.set(NOON + 30 * MINUTE_MS);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON + 29 * MINUTE_MS)]);
    deps.clock.set(NOON + 3 * HOUR_MS + 10 * MINUTE_MS);
    await rollUpResults(deps);
    expect(await progress()).to.deep.equal({ waiting: 0, untilMs: NOON + 3 * HOUR_MS });
    expect((await availability(NOON, NOON + HOUR_MS)).totalChecks).to.equal(1);
  });

  it('are left to the next run when the process stops', async () => {
    deps.clock.set(NOON);
    await rollUpResults(deps);
    deps.clock.set(NOON + 3 * HOUR_MS);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON - 2 * HOUR_MS)]);
    const before = await progress();
    expect(await rollUpResults(deps, AbortSignal.abort())).to.equal(0);
    expect(await progress()).to.deep.equal(before);
    expect(await rollUpResults(deps)).to.be.above(0);
  });

  it('of hours that were missed are computed after those of late results, in the same run', async () => {
    deps.clock.set(NOON);
    await rollUpResults(deps);
    deps.clock.set(NOON + 10 * HOUR_MS);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON + 8 * HOUR_MS)]);
    await rollUpResults(deps);
    expect(await progress()).to.deep.equal({ waiting: 0, untilMs: NOON + 9 * HOUR_MS });
  });

  it('are computed by reading each dirty bucket a few times, also while an old snapshot keeps those that are done', async () => {
    const [monitors, hours] = [100, 40];
    const alone = await createTestDatabase({ poolSize: 1 });
    const snapshot = new pg.Client({ connectionString: alone.url });
    await snapshot.connect();
    const rowsRead = async () => {
      await alone.sql('SELECT pg_stat_force_next_flush()');
      return alone.value<number>(`SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'dirty_bucket')::bigint AS read
         FROM pg_stat_user_tables WHERE relname = 'dirty_bucket'`);
    };
    try {
      await alone.sql(
        `INSERT INTO dirty_bucket SELECT monitor, $3::timestamptz - hour * interval '1 hour', false
         FROM generate_series(1, $1::integer) AS monitor, generate_series(1, $2::integer) AS hour`,
        [monitors, hours, new Date(NOON)],
      );
      await alone.sql('UPDATE rollup_progress SET closed_until = $1', [new Date(NOON)]);
      await alone.sql('ANALYZE dirty_bucket');
      await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM dirty_bucket');
      const before = await rowsRead();
      expect(await rollUpResults({ db: alone.database, clock: new ManualClock(NOON) })).to.equal(monitors * hours);
      expect((await rowsRead()) - before).to.be.below(4 * monitors * hours);
    } finally {
      await snapshot.end();
      await alone.drop();
    }
  });

  it('are recomputed when a pause changes results of a closed hour', async () => {
    await test.sql('UPDATE monitor SET check_interval_ms = $1', [HOUR_MS]);
    deps.clock.set(NOON - 2 * HOUR_MS + 1_000);
    const hourly = { ...resultOf(monitor.key, NOON - 2 * HOUR_MS), freshMs: 2 * HOUR_MS + 30_000 };
    await ingestBatch(deps, agentIn('northeurope'), [hourly]);
    deps.clock.set(NOON - 30 * MINUTE_MS);
    await rollUpResults(deps);
    await test.database.transaction((tx) =>
      seriesStore.stop(workspaceId, tx, [monitor.key], [], new Date(deps.clock.now())),
    );
    deps.clock.set(NOON + HOUR_MS);
    await rollUpResults(deps);
    const { timeline } = await availability(NOON - 2 * HOUR_MS, NOON);
    expect(timeline.map(({ start, status }) => [(Date.parse(start) - NOON) / MINUTE_MS, status])).to.deep.equal([
      [-120, 'available'],
      [-30, 'unknown'],
    ]);
  });

  it('are read for many monitors at once, and not for those of other workspaces', async () => {
    const arrivals = arrivalsOf(monitor.key, 11);
    await letCome(arrivals, START, NOON);
    await rollUpResults(deps);
    const stored = arrivals.filter(({ atMs }) => atMs < NOON);
    const [startMs, endMs] = [NOON - 2 * DAY_MS, NOON];
    const joint = (workspace: string, stepMs: number) =>
      test.database.read((tx) => readJointCounts(tx, workspace, [monitor.key], { startMs, endMs }, stepMs, 0));
    for (const stepMs of [15 * MINUTE_MS, 2 * HOUR_MS, DAY_MS]) {
      const counts = await joint(workspaceId, stepMs);
      for (const { startMs: fromMs, healthy, unhealthy } of counts) {
        const own = byHand(stored, Math.max(fromMs, startMs), Math.min(fromMs + stepMs, endMs)).counts;
        expect([healthy, unhealthy]).to.deep.equal([own.healthyChecks, own.unhealthyChecks]);
      }
      const sum = counts.reduce((total, { healthy, unhealthy }) => total + healthy + unhealthy, 0);
      expect(sum).to.equal(byHand(stored, startMs, endMs).counts.totalChecks);
    }
    const spans = await test.database.read((tx) => readJointSpans(tx, workspaceId, [monitor.key], { startMs, endMs }));
    expect([...spans.keys()]).to.deep.equal([monitor.key]);
    expect(
      decideTimeline(spans.get(monitor.key)!(), startMs, endMs).map(({ startMs: ms, status }) => [
        new Date(ms).toISOString(),
        status,
      ]),
    ).to.deep.equal(byHand(stored, startMs, endMs).timeline.map(({ start, status }) => [start, status]));
    const other = await seedWorkspace(test.database);
    expect(await joint(other.id, DAY_MS)).to.deep.equal([]);
    const recent = { startMs: NOON - 20 * MINUTE_MS, endMs: NOON };
    const last = await test.database.read((tx) => readJointRecent(tx, workspaceId, [monitor.key], recent));
    expect(last.get(monitor.key)!.flatMap(({ checks }) => checks).length).to.equal(
      byHand(stored, recent.startMs, NOON).counts.totalChecks,
    );
    await test.database.read(async (tx) => {
      expect((await readJointSpans(tx, other.id, [monitor.key], recent)).size).to.equal(0);
      expect((await readJointRecent(tx, other.id, [monitor.key], recent)).size).to.equal(0);
    });
  });

  it('summarise a period and the one before it', async () => {
    const arrivals = arrivalsOf(monitor.key, 5);
    await letCome(arrivals, START, NOON);
    await rollUpResults(deps);
    const stored = arrivals.filter(({ atMs }) => atMs < NOON);
    for (const length of [DAY_MS, 1.5 * DAY_MS]) {
      const [startMs, endMs] = [NOON - length, NOON];
      const { current, previous } = await readPeriodSummary(deps, workspaceId, monitor.id, {
        startDate: startMs,
        endDate: endMs,
      });
      expect(current).to.deep.include({ startMs, endMs, ...byHand(stored, startMs, endMs).counts });
      expect(previous).to.deep.include({
        startMs: startMs - length,
        endMs: startMs,
        ...byHand(stored, startMs - length, startMs).counts,
      });
      const { latency, regions, phases } = current;
      const { totals } = byHand(stored, startMs, endMs);
      expect(latency.checks).to.equal(totals.length);
      expect(latency.p95).to.be.within(percentile(totals, 0.95) * 0.99, percentile(totals, 0.95) * 1.01);
      expect(phases).to.deep.equal({ dns: 1.5, connect: 9, tls: 20, firstByte: 11, transfer: 1 });
      expect(regions.map(({ region }) => region)).to.deep.equal(REGIONS);
      expect(regions.reduce((sum, own) => sum + own.latency.checks, 0)).to.equal(totals.length);
    }
  });
});
