import { expect } from 'chai';
import type { CheckResult } from '@watchpost/shared/outcome';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { resultsMonitorListener } from '@watchpost/control-plane/capabilities/verdicts/index';
import { verdictStore } from '@watchpost/control-plane/capabilities/verdicts/verdict/verdict-store';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { readDeadlocks } from '../../support/read-deadlocks.js';
import { databaseForEach } from '../../support/suite.js';
import {
  agentIn,
  DOWN,
  NOON,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSettings,
  type TestDeps,
} from './seed.js';

const HTTP = 1;
const NORTH_EUROPE = 1;

describe('Transactions that write about the same monitors never deadlock', () => {
  const test = databaseForEach();
  let deps: TestDeps;
  let workspaceId: string;

  beforeEach(async () => {
    workspaceId = (await seedWorkspace(test.database)).id;
    deps = resultsDeps(test.database);
    deps.clock.set(NOON + 5 * MINUTE_MS);
    await deps.partitions.ensureFor([NOON]);
  });

  const keysOf = async (count: number, settings: MonitorSettings = {}) =>
    (await seedMonitors(test.database, workspaceId, count, settings)).map(({ key }) => key).sort((a, b) => a - b);
  const ingest = (results: CheckResult[], region: 'northeurope' | 'eastus2' = 'northeurope') =>
    ingestBatch(deps, agentIn(region), results);
  const at = (minute: number, keys: readonly number[], outcome = UP) =>
    keys.map((key) => resultOf(key, NOON + minute * MINUTE_MS, outcome));
  const waiting = (count: number) =>
    test.database.read(async (tx) => {
      const rows = await tx.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`,
      );
      return rows.length === count || undefined;
    });
  const listener = (monitorKey: number, change: string) =>
    test.database.transaction(async (tx) => {
      await tx.query(`UPDATE monitor SET ${change} WHERE key = $1`, [monitorKey]);
      const event = { kind: 'updated', workspaceId, monitorKey, checksChanged: true } as never;
      await resultsMonitorListener(deps)(tx, [event]);
    });

  /** A change of several monitors at once. */
  const bulkListener = (monitorKeys: readonly number[], kind: 'stopped' | 'deleted') =>
    test.database.transaction(async (tx) => {
      await tx.query(`UPDATE monitor SET monitoring_status = 'paused' WHERE key = ANY ($1)`, [monitorKeys]);
      const events = monitorKeys.map((monitorKey) => ({ kind, workspaceId, monitorKey, checksChanged: false }));
      await resultsMonitorListener(deps)(tx, events as never);
    });

  /**
   * Lets `first` run into what `gate` holds, and `second` into what `first` holds by then. After that the gate opens,
   * and `first` asks for what it still needs.
   */
  async function meet({
    gate,
    first,
    second,
  }: {
    gate: [sql: string, parameters: unknown[]];
    first: () => Promise<unknown>;
    second: () => Promise<unknown>;
  }): Promise<void> {
    const done: Promise<unknown>[] = [];
    await test.database.transaction(async (tx) => {
      await tx.query(...gate);
      done.push(first());
      await eventually('the first transaction waits', () => waiting(1), PATIENCE_MS, 10);
      let isOver: true | undefined;
      done.push(second().finally(() => (isOver = true)));
      await eventually('the second transaction waits or is over', async () => isOver ?? waiting(2), PATIENCE_MS, 10);
    });
    await Promise.all(done);
    const deadlocks = await readDeadlocks(test);
    expect(deadlocks, deadlocks.join('\n')).to.have.length(0);
  }

  it('a batch that finds a series missing does not wait for its creator while it holds later series', async () => {
    const [a, b, c] = (await keysOf(3)) as [number, number, number];
    await ingest(at(0, [b, c]));
    await meet({
      gate: ['SELECT FROM series WHERE monitor_key = $1 FOR UPDATE', [b]],
      // Two results of a series: locks the series of a, b and c in this order, and creates that of a.
      first: () => ingest([...at(1, [a, b, c]), ...at(2, [a, b, c])]),
      second: () => ingest(at(3, [a, c])),
    });
  });

  it('a batch whose first result of a series does not count locks that series with the others', async () => {
    const [a, b] = (await keysOf(2, { createdMs: NOON })) as [number, number];
    await ingest(at(0, [a, b]));
    await meet({
      // The row that the batch stores after it has locked its series.
      gate: [
        `INSERT INTO check_result SELECT * FROM jsonb_populate_record((SELECT result FROM check_result result LIMIT 1), $1)`,
        [JSON.stringify({ monitor_key: b, scheduled_at: new Date(NOON + MINUTE_MS) })],
      ],
      first: () => ingest([...at(-1, [a]), ...at(1, [a, b])]),
      second: () => ingest(at(2, [a, b])),
    });
  });

  it('a batch that repeats a failure in other words does not wait for its series', async () => {
    const [a, b] = (await keysOf(2)) as [number, number];
    await ingest(at(0, [a, b], DOWN));
    await meet({
      gate: [
        `INSERT INTO check_failure SELECT * FROM jsonb_populate_record((SELECT failure FROM check_failure failure LIMIT 1), $1)`,
        [JSON.stringify({ monitor_key: b, scheduled_at: new Date(NOON + MINUTE_MS) })],
      ],
      first: () => ingest([...at(0, [a], { ...DOWN, message: 'Refused.' } as typeof DOWN), ...at(1, [b], DOWN)]),
      second: () => ingest(at(2, [a, b])),
    });
  });

  it('a decision that finds a verdict missing does not wait for its creator while it holds later verdicts', async () => {
    const [a, b, c] = (await keysOf(3)) as [number, number, number];
    const decide = (keys: number[]) => test.database.transaction((tx) => verdictStore.lock(tx, keys, new Date(NOON)));
    await meet({
      gate: [
        'INSERT INTO monitor_state (monitor_key, workspace_id, verdict_since) VALUES ($1, $2, now())',
        [b, workspaceId],
      ],
      first: () => decide([a, b, c]),
      second: async () => {
        await decide([c]);
        await decide([a, c]);
      },
    });
  });

  it('a monitor that is paused has its series locked before its rollups are marked', async () => {
    const [a] = (await keysOf(1, { regions: ['eastus2'] })) as [number];
    const lateMs = NOON + HOUR_MS - MINUTE_MS / 2;
    deps.clock.set(NOON + HOUR_MS);
    for (const region of ['northeurope', 'eastus2'] as const) await ingest([resultOf(a, lateMs)], region);
    deps.clock.set(NOON + HOUR_MS + MINUTE_MS);
    await meet({
      gate: ['SELECT FROM series WHERE monitor_key = $1 AND region = $2 FOR UPDATE', [a, NORTH_EUROPE]],
      first: () => listener(a, `monitoring_status = 'paused'`),
      second: () => ingest([resultOf(a, lateMs + 10_000)], 'eastus2'),
    });
  });

  it('a monitor that loses a kind of check has its series locked in the order of a batch', async () => {
    const settings = { regions: ['eastus2'], types: ['HttpAvailability', 'SslCertificate'] } as const;
    const [a] = (await keysOf(1, settings)) as [number];
    const both = (minute: number) => [...at(minute, [a]), resultOf(a, NOON + minute * MINUTE_MS, UP, 'ssl')];
    for (const region of ['northeurope', 'eastus2'] as const) await ingest(both(0), region);
    await meet({
      gate: [
        'SELECT FROM series WHERE monitor_key = $1 AND kind = $2 AND region = $3 FOR UPDATE',
        [a, HTTP, NORTH_EUROPE],
      ],
      first: () => listener(a, `monitor_types = '{HttpAvailability}'`),
      second: () => ingest(both(1), 'eastus2'),
    });
  });

  for (const kind of ['stopped', 'deleted'] as const) {
    it(`a change of many monitors at once (${kind}) locks them in the order of batches`, async () => {
      const keys = await keysOf(8);
      await ingest(at(0, keys));
      await Promise.all([
        bulkListener(keys, kind),
        ...[1, 2, 3].map((minute) =>
          ingest(at(minute, minute % 2 ? keys.toReversed() : keys, minute === 2 ? DOWN : UP)),
        ),
        bulkListener(keys.slice(2), kind),
      ]);
      expect(await readDeadlocks(test)).to.deep.equal([]);
    });
  }

  it('a rename waits for no batch that holds the series of its monitor', async () => {
    const [key] = await keysOf(1);
    await ingest(at(1, [key!]));
    await test.database.transaction(async (tx) => {
      await tx.query('SELECT FROM series WHERE monitor_key = $1 FOR UPDATE', [key]);
      await test.database.transaction(async (other) => {
        await other.query(`SET LOCAL lock_timeout = '1s'`);
        const change = { kind: 'updated', workspaceId, monitorKey: key, monitorId: '', checksChanged: false };
        await resultsMonitorListener(deps)(other, [{ ...change, isRename: true } as never]);
      });
    });
  });
});
