import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch, ingestJoined } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { dayStore } from '@watchpost/control-plane/capabilities/figures/days/day-store';
import {
  eraseResults,
  readAvailability,
  readLatency,
  readMonitorCharts,
  refreshDays,
  rollUpResults,
  type ReportDeps,
} from '@watchpost/control-plane/capabilities/figures/index';
import { readUptime } from '@watchpost/control-plane/capabilities/figures/reading/read-uptime';
import { countQueries } from '../../support/query-count.js';
import { databaseForSuite } from '../../support/suite.js';
import {
  agentIn,
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

type Part = Parameters<typeof ingestJoined>[1][number];

const QUARTER_MS = 15 * MINUTE_MS;
const LETTERS: Record<string, string> = { available: 'a', partial: 'p', unavailable: 'u', unknown: 'n' };

describe('The charts of monitors', () => {
  const test = databaseForSuite();
  let deps: TestDeps & ReportDeps;
  let workspaceId: string;
  let monitors: MonitorSeed[];

  before(async () => {
    workspaceId = (await seedWorkspace(test.database)).id;
    deps = { ...resultsDeps(test.database), retentionDays: 35 };
    monitors = await seedMonitors(test.database, workspaceId, 4, {
      regions: ['eastus2'],
      createdMs: NOON - 3 * DAY_MS,
    });
    let state = 7;
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    // By the hour in which they arrive.
    const arriving = new Map<number, Part[]>();
    for (const { key } of monitors.slice(0, 3)) {
      for (const region of ['northeurope', 'eastus2'] as const) {
        let isDown = false;
        for (let atMs = NOON - 2 * DAY_MS; atMs < NOON; atMs += HOUR_MS) {
          // An hour without results now and then, and outages of half an hour or more.
          if (random() < 0.1) continue;
          const results = Array.from({ length: 12 }, (_, index) => {
            if (index % 6 === 0) isDown = random() < 0.15;
            return {
              ...resultOf(key, atMs + index * 5 * MINUTE_MS, isDown ? DOWN : UP),
              totalUs: 20_000 + Math.floor(random() * 80_000),
              freshMs: 630_000,
            };
          });
          const parts = arriving.get(atMs) ?? [];
          arriving.set(atMs, parts);
          parts.push({ agent: agentIn(region), results });
        }
      }
    }
    for (const [atMs, parts] of [...arriving].toSorted(([a], [b]) => a - b)) {
      deps.clock.set(atMs + HOUR_MS);
      await ingestJoined(deps, parts);
    }
    deps.clock.set(NOON + 7 * MINUTE_MS);
  });

  const charts = (ids = monitors.map(({ id }) => id), workspace = workspaceId) =>
    readMonitorCharts(deps, workspace, ids);

  const agree = async () => {
    for (const chart of (await charts()).slice(0, 3)) {
      const startMs = Date.parse(chart.bar.start);
      const { timeline } = await readAvailability(deps, workspaceId, chart.monitorId, { startDate: startMs });
      const expected = Array.from({ length: 96 }, (_, slot) => {
        const [from, to] = [startMs + slot * QUARTER_MS, startMs + (slot + 1) * QUARTER_MS];
        const seen = timeline.filter(({ start, end }) => Date.parse(start) < to && Date.parse(end) > from);
        const worst = ['unavailable', 'partial', 'unknown', 'available'].find((one) =>
          seen.some(({ status }) => status === one),
        );
        return LETTERS[worst!];
      });
      expect(chart.bar.states).to.equal(expected.join(''));
      const uptime = await readUptime(deps, workspaceId, chart.monitorId, {
        startMs: NOON - 30 * DAY_MS,
        endMs: NOON + 7 * MINUTE_MS,
      });
      expect(chart.uptime30Days).to.equal(uptime.uptimePercentage);
      const latency = await readLatency(deps, workspaceId, chart.monitorId, {
        startDate: Date.parse(chart.latency.start),
        points: 24,
      });
      for (const { time, p95 } of latency.series.filter((point) => point.checks > 0)) {
        const step = Math.floor((Date.parse(time) - Date.parse(chart.latency.start)) / HOUR_MS);
        const shown = chart.latency.p95[step]!;
        // The steps of an exact chart are not whole hours where the last one has not ended.
        if (Date.parse(time) % HOUR_MS === 0 && chart.latency.p95.length === 24)
          expect(shown / p95).to.be.within(0.5, 2);
      }
      expect(new Set(chart.bar.states).size, 'states that the bar contains').to.be.above(2);
    }
  };

  it('agree with availability and uptime while results are rows, and after they are rolled up', async () => {
    await agree();
    await rollUpResults(deps);
    await agree();
    // A late result makes an hour of one monitor dirty.
    await ingestBatch(deps, agentIn('eastus2'), [
      { ...resultOf(monitors[1]!.key, NOON - 5 * HOUR_MS + MINUTE_MS, DOWN), freshMs: 630_000 },
    ]);
    await agree();
  });

  it('of a monitor without results are unknown, and have neither latency nor uptime', async () => {
    const [chart] = await charts([monitors[3]!.id]);
    expect(chart).to.deep.include({ bar: { ...chart!.bar, states: 'n'.repeat(96) }, uptime30Days: null });
    expect(chart!.latency.p95).to.deep.equal(Array.from({ length: 24 }, () => null));
  });

  it('contain no monitor of another workspace, and each monitor once in the requested order', async () => {
    const other = (await seedWorkspace(test.database)).id;
    expect(await charts([monitors[0]!.id], other)).to.deep.equal([]);
    const [first, second] = monitors as [MonitorSeed, MonitorSeed];
    const answer = await charts([second.id, first.id, second.id, other]);
    expect(answer.map(({ monitorId }) => monitorId)).to.deep.equal([second.id, first.id]);
  });

  it('take as many statements for all monitors as for one', async () => {
    const [one, all] = [await countQueries(() => charts([monitors[0]!.id])), await countQueries(() => charts())];
    expect(all - one).to.be.at.most(6);
  });

  describe('and their figures of the last 24 hours', () => {
    const stored = (key: number) =>
      test.database.read((tx) =>
        tx.one<{ until: Date; uptime: number | null; p95Us: number | null }>(
          'SELECT until, uptime, p95_us AS "p95Us" FROM monitor_day WHERE monitor_key = $1',
          [key],
        ),
      );
    const joint = (id = workspaceId) => test.database.read((tx) => dayStore.ofWorkspace(id, tx));

    it('agree with uptime and latency of the same time, at first until now and then until the last full hour', async () => {
      const agreeUntil = async (untilMs: number) => {
        for (const { id, key } of monitors.slice(0, 3)) {
          const period = { startMs: Math.ceil(untilMs / HOUR_MS) * HOUR_MS - DAY_MS, endMs: untilMs };
          const { uptimePercentage } = await readUptime(deps, workspaceId, id, period);
          const latency = await readLatency(deps, workspaceId, id, {
            startDate: period.startMs,
            endDate: period.endMs,
            points: 24,
          });
          const { until, uptime, p95Us } = (await stored(key))!;
          expect([until.getTime(), uptime]).to.deep.equal([untilMs, uptimePercentage]);
          expect(p95Us! / 1_000).to.be.closeTo(latency.p95!, latency.p95! * 0.011);
        }
        expect(await stored(monitors[3]!.key)).to.deep.include({ uptime: null, p95Us: null });
      };
      await refreshDays(deps);
      await agreeUntil(NOON + 7 * MINUTE_MS);
      const first = (await joint())!;
      expect(first.unknown, 'the monitor without results').to.equal(1);
      expect(first.hours).to.have.length(24);
      expect(first.hours.reduce((sum, { checks }) => sum + checks, 0)).to.equal(first.day.checks);
      expect(await refreshDays(deps), 'before the hour is over').to.equal(0);
      deps.clock.set(NOON + HOUR_MS + 7 * MINUTE_MS);
      await rollUpResults(deps);
      await refreshDays(deps);
      await agreeUntil(NOON + HOUR_MS);
      const { day, hours } = (await joint())!;
      const uptimes = await Promise.all(monitors.slice(0, 3).map(async ({ key }) => (await stored(key))!.uptime!));
      expect(day.availability).to.be.closeTo(uptimes.reduce((sum, uptime) => sum + uptime, 0) / 3, 1e-9);
      expect(hours.at(-1), 'nothing is known of the hour without checks').to.deep.equal({
        availability: null,
        p95Us: null,
        checks: 0,
      });
      expect(await refreshDays(deps)).to.equal(0);
    });

    it('are made in turns of all owners, and a workspace that fails is left to the next run', async () => {
      const [large, broken, small] = [
        await seedWorkspace(test.database),
        await seedWorkspace(test.database),
        await seedWorkspace(test.database),
      ];
      await seedMonitors(test.database, large.id, 200);
      const [bad] = await seedMonitors(test.database, broken.id, 1);
      await seedMonitors(test.database, small.id, 1);
      await test.sql(
        `INSERT INTO check_rollup (monitor_key, starts_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
             up, down, inconclusive, min_us, max_us, kind, region, spans, histogram)
           VALUES ($1, $2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, '', '\\xffff')`,
        [bad!.key, new Date(NOON - 2 * HOUR_MS)],
      );
      let rounds = 0;
      const afterThree = {
        get aborted() {
          return ++rounds > 3;
        },
      } as AbortSignal;
      await refreshDays(deps, afterThree);
      expect(await joint(small.id), 'beside a large one').to.not.equal(undefined);
      expect(await joint(large.id)).to.equal(undefined);
      await refreshDays(deps);
      expect(await joint(large.id)).to.deep.include({ unknown: 200 });
      expect(await joint(broken.id)).to.equal(undefined);
      expect(deps.logged.filter(({ msg }) => msg.startsWith('the figures of a day'))).to.have.length(2);
      await eraseResults({ db: test.database }, [bad!.key]);
      await refreshDays(deps);
      expect(await joint(broken.id)).to.deep.include({ unknown: 1 });
    });

    it('of a workspace that had none are made as soon as there are results', async () => {
      const { id } = await seedWorkspace(test.database);
      const [monitor] = await seedMonitors(test.database, id, 1);
      await refreshDays(deps);
      await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor!.key, deps.clock.now() - MINUTE_MS, UP)]);
      await refreshDays(deps);
      expect((await joint(id))!.day, 'within the minute').to.deep.include({ checks: 0, availability: null });
      deps.clock.advance(MINUTE_MS);
      await refreshDays(deps);
      expect((await joint(id))!.day).to.deep.include({ checks: 1, availability: 100 });
    });
  });
});
