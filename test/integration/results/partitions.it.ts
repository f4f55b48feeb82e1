import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { dayOf, dropPartitionsBefore } from '@watchpost/control-plane/capabilities/results/partitions/partition-store';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace } from './seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';

describe('The daily partitions of results', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database, 3));
  const home = agentIn('northeurope');

  beforeEach(() => test.database.read((connection) => dropPartitionsBefore(connection, dayOf(NOON) + 30)));

  const tables = async () => {
    const rows = await test.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^check_.*_p[0-9]{8}$' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const monitor = async () =>
    (
      await seedMonitors(test.database, (await seedWorkspace(test.database)).id, 1, { createdMs: NOON - 30 * DAY_MS })
    )[0]!;

  it('exist for today and a week ahead, however many processes create them at once', async () => {
    await Promise.all([1, 2, 3, 4].map(() => resultsDeps(test.database).partitions.makeAhead()));
    const names = await tables();
    expect(names).to.have.length(32);
    expect(names).to.include.members([
      'check_result_p20261121',
      'check_result_p20261128',
      'check_failure_p20261128',
      'check_detail_p20261128',
      'check_answer_p20261128',
    ]);
  });

  it('are created on demand for late results', async () => {
    const { key } = await monitor();
    const batch = [0, 1, 2].map((days) => resultOf(key, NOON - days * DAY_MS, DOWN));
    expect(await ingestBatch(deps, home, batch)).to.include({ stored: 3 });
    expect(await tables()).to.include('check_failure_p20261119');
  });

  it('are dropped with their contents after retention, and results from then are no longer accepted', async () => {
    const { key } = await monitor();
    await ingestBatch(deps, home, [resultOf(key, NOON)]);
    deps.clock.set(NOON + 6 * DAY_MS);
    expect(await deps.partitions.dropExpired()).to.equal(4);
    expect(await tables()).to.deep.equal([]);
    expect(await ingestBatch(deps, home, [resultOf(key, NOON + 1)])).to.include({ stored: 0, dropped: 1 });
    expect(await ingestBatch(deps, home, [resultOf(key, NOON + 6 * DAY_MS)])).to.include({ stored: 1 });
    expect(await deps.partitions.dropExpired()).to.equal(0);
  });

  it('are created while others are writing, without blocking them', async () => {
    const { key } = await monitor();
    await ingestBatch(deps, home, [resultOf(key, NOON)]);
    await test.database.transaction(async (tx) => {
      await tx.query(`UPDATE check_result SET total_us = 1 WHERE monitor_key = $1`, [key]);
      await deps.partitions.makeAhead();
      expect(await tables()).to.have.length(32);
    });
  });
});
