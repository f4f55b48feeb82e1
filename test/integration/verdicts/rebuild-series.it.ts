import { expect } from 'chai';
import { Registry } from 'prom-client';
import { SECOND_MS } from '@watchpost/shared/time';
import { createHealth } from '@watchpost/control-plane/platform/telemetry/health';
import {
  describeOldSnapshot,
  readSnapshotHolders,
  showOldestSnapshot,
} from '@watchpost/control-plane/platform/db/oldest-snapshot';
import { silenceSweeper } from '@watchpost/control-plane/capabilities/verdicts/index';
import { rebuildSeries } from '@watchpost/control-plane/capabilities/verdicts/series/rebuild-series';
import { NOON, resultsDeps } from '../results/seed.js';
import { databaseForSuite } from '../../support/suite.js';

/** More than a sweep reads at once: 2,000 blocks. */
const SERIES = 80_000;
/** Row versions of which nobody has a use any more, before the others. */
const REMOVED = 36_000;
/** The last of them turn overdue. */
const OVERDUE = 100;
const TICK_MS = 2 * SECOND_MS;
/** Longer than series are remembered that turn overdue. */
const OVERDUE_MS = 78 * SECOND_MS;

describe('The table of series after a long snapshot', () => {
  const test = databaseForSuite();
  before(async () => {
    const columns = 'monitor_key, counts_from, fresh_until, kind, region, alert_after, recover_after, last_message';
    await test.sql(
      `INSERT INTO series (${columns}) SELECT -number, $1, $1, 1, 1, 2, 1, repeat('x', 1900) FROM generate_series(1, ${REMOVED}) AS number`,
      [new Date(NOON)],
    );
    await test.sql(
      `INSERT INTO series (${columns}) SELECT number, $1, CASE WHEN number > $3 THEN $2::timestamptz ELSE 'infinity' END, 1, 1, 2, 1, NULL FROM generate_series(1, ${SERIES}) AS number`,
      [new Date(NOON), new Date(NOON + OVERDUE_MS), SERIES - OVERDUE],
    );
    await test.sql('DELETE FROM series WHERE monitor_key < 0');
    await test.database.read((tx) => tx.query('VACUUM ANALYZE series'));
  });

  const blocks = async () => await test.value<number>(`SELECT pg_relation_size('series') / 8192 AS blocks`);

  it('is rebuilt when nobody uses it, and silence is noticed as before although the rows have moved', async () => {
    const deps = resultsDeps(test.database);
    const sweep = silenceSweeper(deps);
    const before = await blocks();
    // Nearly to the end of what was removed.
    for (; deps.clock.now() < NOON + 46 * SECOND_MS; deps.clock.advance(TICK_MS)) await sweep();

    await test.database.transaction(async (tx) => {
      await tx.query('SELECT FROM series LIMIT 1');
      expect(await rebuildSeries({ db: test.database })).to.equal('busy');
    });
    expect(await rebuildSeries({ db: test.database })).to.equal('done');
    expect(await blocks()).to.be.below(before / 4);
    expect(await rebuildSeries({ db: test.database }), 'there is nothing to do').to.equal(null);
    const timeouts = await test.sql(
      `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement`,
    );
    expect(timeouts).to.deep.equal([{ lock: '0', statement: '30s' }]);

    for (; deps.clock.now() < NOON + OVERDUE_MS; deps.clock.advance(TICK_MS)) await sweep();
    await sweep();
    expect(await test.sql('SELECT count(*) AS stale FROM series WHERE stale')).to.deep.equal([{ stale: OVERDUE }]);
  });

  it('is the reason for a warning while the snapshot is open', async () => {
    const registry = new Registry();
    showOldestSnapshot(registry, test.database);
    const health = createHealth({
      db: test.database,
      redisHealthy: null,
      agents: null,
      regionTroubles: () => Promise.resolve([]),
    });
    expect(await test.database.read(readSnapshotHolders)).to.deep.equal([]);
    await test.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid FROM series LIMIT 1');
      for (let change = 0; change < 3; change++)
        await test.sql('UPDATE series SET streak = streak WHERE monitor_key = 1');
      const [holder, ...others] = await test.database.read(readSnapshotHolders);
      expect(others).to.deep.equal([]);
      expect(holder).to.include({ kind: 'transaction', pid: own!.pid });
      expect(holder!.transactions).to.be.at.least(3);
      expect(await registry.metrics()).to.match(/^watchpost_database_oldest_snapshot_transactions (?:[3-9]|\d\d)/m);
      expect((await health.check()).checks['database']).to.deep.equal({ status: 'ok' });
      expect(describeOldSnapshot([{ ...holder!, ageMs: 11 * 60_000 }])).to.include(`backend ${own!.pid}`);
    });
    expect(await test.database.read(readSnapshotHolders)).to.deep.equal([]);
  });
});
