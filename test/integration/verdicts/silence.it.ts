import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { silenceSweeper } from '@watchpost/control-plane/capabilities/verdicts/index';
import { silenceStore } from '@watchpost/control-plane/capabilities/verdicts/verdict/silence-store';
import { NOON, resultsDeps, seedMonitors, seedWorkspace } from '../results/seed.js';
import { databaseForSuite, startedForSuite } from '../../support/suite.js';

/** More than a sweep reads at once: some 300 blocks. */
const SERIES = 12_000;
const TICK_MS = 2 * SECOND_MS;

describe('Silence', () => {
  const test = databaseForSuite();
  const deps = startedForSuite(() => resultsDeps(test.database));

  const seed = async (): Promise<void> => {
    await test.sql('DELETE FROM series');
    await test.sql(
      `INSERT INTO series (monitor_key, counts_from, last_scheduled_at, conclusive_at, fresh_until, kind, region, alert_after, recover_after)
       SELECT number, $1, $1, $1, $1::timestamptz + interval '150 s' * (0.2 + 0.8 * number / $2), 1, 1 + number % 3, 2, 1
       FROM generate_series(1, $2::integer) AS number`,
      [new Date(NOON), SERIES],
    );
  };
  /** What results of these series do to the rows. */
  const refresh = (every: number, at: number, nowMs: number) =>
    test.sql(`UPDATE series SET fresh_until = $3, stale = false, conclusive_at = $4 WHERE monitor_key % $1 = $2`, [
      every,
      at,
      new Date(nowMs + 2 * MINUTE_MS),
      new Date(nowMs),
    ]);
  const wrong = (nowMs: number) =>
    test.sql('SELECT monitor_key FROM series WHERE stale <> (fresh_until <= $1)', [new Date(nowMs)]);

  it('is noticed by the first sweep after the time of a series, although a sweep reads a part of the table', async function () {
    const step = fc.record({
      ticks: fc.integer({ min: 1, max: 12 }),
      every: fc.constantFrom(2, 3, 7, 100),
      at: fc.nat(6),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        deps.clock.set(NOON);
        await seed();
        const sweep = silenceSweeper(deps);
        for (const { ticks, every, at } of steps) {
          for (let tick = 0; tick < ticks; tick++) {
            deps.clock.set(deps.clock.now() + TICK_MS);
            await sweep();
            expect(await wrong(deps.clock.now())).to.deep.equal([]);
          }
          await refresh(every, at, deps.clock.now());
        }
      }),
      { numRuns: 3 },
    );
  });

  it('of a series that a batch has locked is noticed when the batch has ended without a fresh result', async () => {
    deps.clock.set(NOON);
    await seed();
    const sweep = silenceSweeper(deps);
    await sweep();
    deps.clock.set(NOON + 40 * SECOND_MS);
    await test.database.transaction(async (tx) => {
      await tx.query('SELECT FROM series WHERE monitor_key = 1 FOR UPDATE');
      await sweep();
    });
    const [stale] = await test.sql<{ count: number }>(
      'SELECT count(*) AS count FROM series WHERE stale AND monitor_key = 1',
    );
    expect(stale).to.deep.equal({ count: 0 });
    await sweep();
    expect(await wrong(deps.clock.now())).to.deep.equal([]);
  });

  it('costs no look at monitors of which no verdict is due, also by a kept plan', async () => {
    await seedMonitors(test.database, (await seedWorkspace(test.database)).id, 1_000);
    await test.sql(
      'INSERT INTO monitor_state (monitor_key, workspace_id, verdict_since) SELECT key, workspace_id, created FROM monitor',
    );
    await test.sql('ANALYZE monitor, monitor_state');
    const none = { from: 0, until: 0 };
    await test.database.transaction(async (tx) => {
      await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
      const rowsRead = () =>
        tx.value<number>(
          `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 FROM pg_stat_xact_user_tables
           WHERE relname IN ('monitor', 'monitor_state')`,
        );
      const before = await rowsRead();
      const part = await silenceStore.readPart(tx, { awaited: none, counted: none }, NOON, NOON);
      expect(part.hasToDecide).to.equal(false);
      // The planner reads a few.
      expect((await rowsRead()) - before).to.be.below(10);
    });
  });

  it('is searched for by the process that leads, and by the next one when that is gone', async () => {
    deps.clock.set(NOON);
    await seed();
    const leads = { here: true, there: false };
    const there = resultsDeps(test.database);
    const sweeps = [
      silenceSweeper(deps, () => Promise.resolve(leads.here)),
      silenceSweeper(there, () => Promise.resolve(leads.there)),
    ];
    for (const one of sweeps) await one();
    expect(await deps.registry.metrics()).to.include('watchpost_region_checks{region="northeurope"} 4000');
    expect(await there.registry.metrics()).not.to.include('watchpost_region_checks{');
    Object.assign(leads, { here: false, there: true });
    for (const { clock } of [deps, there]) clock.set(NOON + MINUTE_MS);
    for (const one of sweeps) await one();
    expect(await wrong(deps.clock.now())).to.deep.equal([]);
    expect(await deps.registry.metrics()).not.to.include('watchpost_region_checks{');
    expect(await there.registry.metrics()).to.include('watchpost_region_checks{region="northeurope"} 4000');
  });
});
