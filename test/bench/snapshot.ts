import pg from 'pg';
import { REGIONS, type Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { seriesTableStore } from '@watchpost/control-plane/capabilities/verdicts/series/series-table-store';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { agentIn, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace } from '../integration/results/seed.js';
import { createTestDatabase } from '../support/database.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { cpuMs } from './process-usage.js';

const SIZES = [50_000, 200_000];
/** In each of which every monitor is checked. */
const CHECKED_IN: readonly Region[] = REGIONS.slice(0, 8).map(({ name }) => name);
const BATCH = 1_000;
/** Rounds of results, one of each series: a minute of an installation. */
const ROUNDS = { before: 1, during: 3 };

/**
 * Measures how the table of series grows while a transaction holds a snapshot, as `pg_dump` does, what a result costs
 * then, and how large the table is when the snapshot has ended: after vacuum, and after the rebuild.
 */
export async function benchSnapshot(defer: Defer): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of SIZES) rows.push(...(await measure(size, defer)));
  return rows;
}

async function measure(size: number, defer: Defer): Promise<BenchRow[]> {
  // One connection: its server process does all the work.
  const test = await createTestDatabase({ poolSize: 1 });
  let isDropped = false;
  const drop = async () => {
    if (!isDropped) await test.drop();
    isDropped = true;
  };
  defer(drop);
  const db = test.database;
  const monitors = await seedMonitors(db, (await seedWorkspace(db)).id, size / CHECKED_IN.length, {
    regions: CHECKED_IN.slice(1),
  });
  // Phases do not depend on keys, so that the keys of a batch are unordered.
  const keys = monitors.map((_, index) => monitors[(index * 7_919) % monitors.length]!.key);
  const [backend] = await db.read((tx) => tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
  const rounds = new Rounds(db, keys, backend!.pid);
  // The first round creates the series; the next ones settle on their plans.
  await rounds.run(1);
  await vacuum(db);
  await rounds.run(1);

  const cpuBefore = await rounds.run(ROUNDS.before);
  await vacuum(db);
  const before = await sizeMb(db);
  const reader = new pg.Client({ connectionString: test.url });
  await reader.connect();
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM series LIMIT 1');
  const cpuDuring = await rounds.run(ROUNDS.during);
  const during = await sizeMb(db);
  await reader.end();
  await vacuum(db);
  await rounds.run(1);
  await vacuum(db);
  const vacuumed = await sizeMb(db);
  const started = performance.now();
  await db.read((tx) => seriesTableStore.rebuild(tx));
  const rebuildMs = performance.now() - started;
  const rebuilt = await sizeMb(db);
  const cpuAfter = await rounds.run(1);
  await drop();

  const name = `${size.toLocaleString('en')} series`;
  const usual = { name: 'before the snapshot', value: before };
  const usualCpu = { name: 'before the snapshot', value: cpuBefore };
  return [
    benchRow({
      name: `series table, ${name}, snapshot open: growth a minute`,
      value: (during - before) / ROUNDS.during,
      unit: 'MB',
      yardstick: usual,
    }),
    benchRow({ name: '  CPU of 1,000 results meanwhile', value: cpuDuring, unit: 'ms', yardstick: usualCpu }),
    benchRow({ name: '  size after vacuum and a minute of results', value: vacuumed, unit: 'MB', yardstick: usual }),
    benchRow({
      name: '  size after the rebuild',
      value: rebuilt,
      unit: 'MB',
      yardstick: usual,
      aim: { text: '<= 1.2x', met: ({ ratio }) => ratio <= 1.2 },
    }),
    benchRow({ name: '  time of the rebuild, for which results wait', value: rebuildMs, unit: 'ms' }),
    benchRow({ name: '  CPU of 1,000 results after it', value: cpuAfter, unit: 'ms', yardstick: usualCpu }),
  ];
}

/** Rounds of results, one of each series, through the whole ingest. */
class Rounds {
  private minute = 0;
  private readonly deps;

  constructor(
    db: Database,
    private readonly keys: readonly number[],
    private readonly backend: number,
  ) {
    this.deps = resultsDeps(db);
  }

  /** @returns ms of CPU of the server process and Node for 1,000 results */
  async run(rounds: number): Promise<number> {
    let spentMs = 0;
    for (let round = 0; round < rounds; round++, this.minute++) {
      for (const region of CHECKED_IN) {
        for (let from = 0; from < this.keys.length; from += BATCH) {
          const results = this.keys
            .slice(from, from + BATCH)
            .map((key, index) => resultOf(key, NOON + this.minute * MINUTE_MS + from + index));
          this.deps.clock.set(Math.max(this.deps.clock.now(), results.at(-1)!.scheduledAtMs + 1_000));
          const server = cpuMs(this.backend);
          const own = process.cpuUsage();
          await ingestBatch(this.deps, agentIn(region), results);
          const { user, system } = process.cpuUsage(own);
          spentMs += cpuMs(this.backend) - server + (user + system) / 1_000;
        }
      }
    }
    return (spentMs * 1_000) / (rounds * this.keys.length * CHECKED_IN.length);
  }
}

async function vacuum(db: Database): Promise<void> {
  await db.read((tx) => tx.query('VACUUM ANALYZE series'));
}

/** Table and indexes. */
async function sizeMb(db: Database): Promise<number> {
  const [row] = await db.read((tx) => tx.query<{ bytes: number }>(`SELECT pg_total_relation_size('series') AS bytes`));
  return row!.bytes / 1e6;
}
