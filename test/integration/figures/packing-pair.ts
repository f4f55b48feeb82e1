import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { CheckKind } from '@watchpost/shared/check';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import {
  PackingMetrics,
  packResults,
  readAvailability,
  readLatency,
  readMonitorCharts,
  readPeriodSummary,
  rollUpResults,
} from '@watchpost/control-plane/capabilities/figures/index';
import { readUptime } from '@watchpost/control-plane/capabilities/figures/reading/read-uptime';
import { readCheckResults } from '@watchpost/control-plane/capabilities/figures/reading/read-check-results';
import { readRegionTimelines } from '@watchpost/control-plane/capabilities/figures/reading/read-region-timelines';
import { readSslHistory } from '@watchpost/control-plane/capabilities/verdicts/warnings/read-ssl';
import { readFailures } from '@watchpost/control-plane/capabilities/verdicts/verdict/evidence-store';
import { createTestDatabase, NOON, type TestDatabase } from '../../support/database.js';
import { certificate } from '../verdicts/detail-seed.js';
import {
  agentIn,
  BLIND,
  DOWN,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSeed,
} from '../results/seed.js';

const REGIONS: readonly Region[] = ['northeurope', 'eastus2'];
export const START = NOON - (NOON % DAY_MS);
const RETENTION_DAYS = 35;

/** One installation with a few monitors. */
export class Installation {
  private constructor(
    readonly test: TestDatabase,
    readonly deps: ReturnType<typeof resultsDeps> & { retentionDays: number },
    readonly workspaceId: string,
    readonly monitors: readonly MonitorSeed[],
    private readonly packing: Parameters<typeof packResults>[0],
  ) {}

  static async create(): Promise<Installation> {
    const test = await createTestDatabase();
    const deps = { ...resultsDeps(test.database), retentionDays: RETENTION_DAYS };
    const { id } = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, id, 2, {
      regions: ['eastus2'],
      createdMs: START - DAY_MS,
      types: ['HttpAvailability', 'SslExpiry'],
    });
    deps.clock.set(START);
    await deps.partitions.makeAhead();
    const { clock, db } = deps;
    const metrics = new PackingMetrics(new Registry(), { db, clock });
    return new Installation(test, deps, id, monitors, { db, clock, metrics });
  }

  /** Ingests results, by the index of their monitor. @returns how many were stored */
  async ingest(batch: readonly Arrival[]): Promise<number> {
    let stored = 0;
    for (const region of REGIONS) {
      const own = batch.filter((arrival) => arrival.region === region);
      const results = own.map(({ monitor, result }): CheckResult => ({
        ...result,
        key: { ...result.key, monitorKey: this.monitors[monitor]!.key },
      }));
      if (own.length > 0) stored += (await ingestBatch(this.deps, agentIn(region), results)).stored;
    }
    return stored;
  }

  rollUp(): Promise<number> {
    return rollUpResults(this.deps);
  }

  pack(): Promise<number> {
    return packResults(this.packing);
  }

  /** Packs everything that is due, and lets the time pass that a packed day waits. */
  async packAll(): Promise<void> {
    for (let packed = 1, before = -1; packed > 0 || before !== (await this.rowsOfPackedDays());) {
      before = await this.rowsOfPackedDays();
      packed = await this.pack();
      this.deps.clock.advance(MINUTE_MS);
      packed += await this.pack();
    }
  }

  async count(sql: string): Promise<number> {
    return this.test.value<number>(`SELECT count(*) AS count FROM ${sql}`);
  }

  rowsOfPackedDays(): Promise<number> {
    return this.count('check_result WHERE scheduled_at < (SELECT packed_until FROM packing_progress)');
  }

  /** Everything that is read of a monitor in a period, without what differs between installations. */
  async answers(index: number, startDate: number, endDate: number): Promise<unknown> {
    const { deps, workspaceId } = this;
    const { id, key } = this.monitors[index]!;
    const period = { startDate, endDate };
    const answers = {
      availability: await readAvailability(deps, workspaceId, id, period),
      latency: await readLatency(deps, workspaceId, id, { ...period, points: 10 }),
      uptime: await readUptime(deps, workspaceId, id, { startMs: startDate, endMs: endDate }),
      timelines: await readRegionTimelines(deps, workspaceId, id, { ...period, steps: 40 }),
      charts: await readMonitorCharts(deps, workspaceId, [id]),
      summary: await readPeriodSummary(deps, workspaceId, id, period),
      results: await readCheckResults(deps, workspaceId, id, period, { limit: 1_000, offset: 0 }),
      down: await readCheckResults(
        deps,
        workspaceId,
        id,
        { ...period, outcome: 'down', region: 'eastus2' },
        { limit: 5, offset: 1 },
      ),
      ssl: await readSslHistory(deps, workspaceId, id, { ...period, limit: 1_000, offset: 0 }),
    };
    const failing = answers.results.items.filter(({ outcome, kind }) => outcome === 'down' && kind === 'http');
    const evidence = await deps.db.read((tx) =>
      readFailures(
        tx,
        failing.map(({ region, scheduledAt }) => ({
          monitorKey: key,
          kind: 'http',
          region,
          scheduledAtMs: Date.parse(scheduledAt),
        })),
      ),
    );
    expect(evidence).to.have.length(failing.length);
    const all = JSON.stringify({ ...answers, evidence });
    return JSON.parse(all.replaceAll(id, 'monitor').replaceAll(`"monitorKey":${key}`, '"monitorKey":0'));
  }

  drop(): Promise<void> {
    return this.test.drop();
  }
}

export interface Arrival {
  monitor: number;
  region: Region;
  result: CheckResult;
  /** When it arrives. */
  atMs: number;
}

/** Checks of two monitors from two regions, one in eight late by up to four days, some of them sent again later. */
export function arrivalsOf(seed: number, days: number, stepMs: number): Arrival[] {
  let state = seed;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const arrivals: Arrival[] = [];
  for (const monitor of [0, 1])
    for (const region of REGIONS)
      for (let dueMs = START; dueMs < START + days * DAY_MS; dueMs += stepMs) {
        const [dice, delay, again, odd] = [random(), random(), random(), random()];
        if (dice < 0.05) continue;
        const kind: CheckKind = dice < 0.2 ? 'ssl' : 'http';
        const outcome: Outcome = dice < 0.25 ? UP : dice < 0.32 ? DOWN : dice < 0.36 ? BLIND : UP;
        const own = resultOf(1, odd < 0.1 ? dueMs + Math.floor(random() * 60_000) : dueMs + 417, outcome, kind);
        const result = {
          ...own,
          totalUs: Math.floor(20_000 * Math.exp(3 * random())),
          timings: { ...own.timings, firstByteUs: Math.floor(10_000 * Math.exp(2 * random())) },
          freshMs: random() < 0.8 ? 2 * stepMs : stepMs / 2,
          ...(kind === 'ssl' ? { detail: certificate(40) } : {}),
        };
        const atMs = result.scheduledAtMs + (delay < 0.12 ? Math.floor(random() * 4 * DAY_MS) : 1_000);
        arrivals.push({ monitor, region, result, atMs });
        if (again < 0.1) {
          // Another agent has run the check, too: the first result counts.
          const repeated = { ...result, totalUs: again < 0.05 ? result.totalUs : 77_777 };
          arrivals.push({ monitor, region, result: repeated, atMs: atMs + Math.floor(random() * 4 * DAY_MS) });
        }
      }
  return arrivals.toSorted((a, b) => a.atMs - b.atMs);
}

/**
 * Lets results arrive at two installations, of which one packs, and expects the same answers of both all the time.
 * @param next the next number of a random sequence, from 0 to 1
 */
export async function comparePacking(
  { plain, packing }: { plain: Installation; packing: Installation },
  arrivals: readonly Arrival[],
  endMs: number,
  next: () => number,
): Promise<void> {
  const both = [plain, packing];
  for (let nowMs = START; nowMs < endMs;) {
    const fromMs = nowMs;
    // Not less than three hours: random numbers are often close to 0, and each round takes a second or two.
    nowMs += Math.ceil((3 + next() * 12) * HOUR_MS);
    for (const { deps } of both) deps.clock.set(nowMs);
    const batch = arrivals.filter(({ atMs }) => atMs >= fromMs && atMs < nowMs);
    const [expected, stored] = [await plain.ingest(batch), await packing.ingest(batch)];
    expect(stored, 'a repeated result is not stored again').to.equal(expected);
    if (next() < 0.8) for (const installation of both) await installation.rollUp();
    // Alone, a day stays half packed until the next round.
    if (next() < 0.8) await packing.pack();
    const monitor = next() < 0.5 ? 0 : 1;
    const startMs = START + Math.floor(next() * (nowMs - START - HOUR_MS));
    const lengthMs = MINUTE_MS + Math.floor(next() * (nowMs - startMs - MINUTE_MS));
    for (const period of [
      [startMs, startMs + lengthMs],
      [START, nowMs],
    ] as const) {
      const answers = await packing.answers(monitor, ...period);
      expect(answers).to.deep.equal(await plain.answers(monitor, ...period));
    }
  }
}
