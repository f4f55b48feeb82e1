import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch, ingestJoined } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import {
  readAvailability,
  readLatency,
  readMonitorCharts,
  rollUpResults,
  type ReportDeps,
} from '@watchpost/control-plane/capabilities/figures/index';
import { readUptime } from '@watchpost/control-plane/capabilities/figures/reading/read-uptime';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { countQueries } from '../../support/query-count.js';
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

/** The results of one agent. */
type Part = Parameters<typeof ingestJoined>[1][number];

const QUARTER_MS = 15 * MINUTE_MS;
const LETTERS: Record<string, string> = { available: 'a', partial: 'p', unavailable: 'u', unknown: 'n' };

describe('The charts of monitors', () => {
  let test: TestDatabase;
  let deps: TestDeps & ReportDeps;
  let workspaceId: string;
  let monitors: MonitorSeed[];

  before(async () => {
    test = await createTestDatabase();
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
  after(() => test.drop());

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
});
