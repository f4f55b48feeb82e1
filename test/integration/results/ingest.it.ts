import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch, ingestJoined } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { readDeadlocks } from '../../support/read-deadlocks.js';
import { databaseForSuite, startedForEach } from '../../support/suite.js';
import { agentIn, BLIND, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace, UP } from './seed.js';

describe('Ingested results', () => {
  const test = databaseForSuite();
  const deps = startedForEach(() => resultsDeps(test.database));
  let workspaceId: string;
  const home = agentIn('northeurope');

  before(async () => {
    workspaceId = (await seedWorkspace(test.database)).id;
  });

  const monitor = async (settings = {}) => (await seedMonitors(test.database, workspaceId, 1, settings))[0]!;
  const rowsOf = async (key: number) =>
    await test.value<number>('SELECT count(*) AS count FROM check_result WHERE monitor_key = $1', [key]);
  const readSeries = async (key: number, region: number = 1) => {
    const [row] = await test.sql('SELECT * FROM series WHERE monitor_key = $1 AND region = $2', [key, region]);
    return row!;
  };
  const ingestAt = (ms: number, results: CheckResult[], region: Region = 'northeurope') => {
    deps.clock.set(ms);
    return ingestBatch(deps, agentIn(region), results);
  };

  it('count once, however often they are sent', async () => {
    const { key } = await monitor();
    const batch = [UP, DOWN, UP].map((outcome, index) => resultOf(key, NOON + index * MINUTE_MS, outcome));
    expect(await ingestAt(NOON + 3 * MINUTE_MS, batch)).to.deep.equal({ stored: 3, repeated: 0, dropped: 0 });
    const series = await readSeries(key);
    for (let time = 0; time < 3; time++) {
      expect(await ingestBatch(deps, home, batch)).to.deep.equal({ stored: 0, repeated: 3, dropped: 0 });
    }
    expect(await rowsOf(key)).to.equal(3);
    expect(await readSeries(key)).to.deep.equal(series);
  });

  it('count once when two agents send them at the same moment', async () => {
    const monitors = await seedMonitors(test.database, workspaceId, 200);
    for (const minute of [0, 1, 2]) {
      const batch = monitors.map(({ key }) => resultOf(key, NOON + minute * MINUTE_MS, minute === 1 ? DOWN : UP));
      deps.clock.set(NOON + minute * MINUTE_MS + 500);
      const summaries = await Promise.all(
        [0, 1, 2].map((shift) => ingestBatch(deps, home, [...batch.slice(shift), ...batch.slice(0, shift)])),
      );
      expect(summaries.reduce((sum, { stored }) => sum + stored, 0)).to.equal(200);
      expect(summaries.reduce((sum, { repeated }) => sum + repeated, 0)).to.equal(400);
    }
    expect(await readSeries(monitors[7]!.key)).to.include({ streak: 1, streak_outcome: 1, failing: false });
  });

  it('of several agents in one transaction keep their agents, and count once where two agents have the same', async () => {
    const monitors = await seedMonitors(test.database, workspaceId, 3);
    const [first, second, third] = monitors.map(({ key }) => resultOf(key, NOON, DOWN));
    const [a, b] = [
      { ...home, agentKey: 71 },
      { ...home, agentKey: 72 },
    ];
    deps.clock.set(NOON + 1_000);
    const considered: [number, number][] = [];
    const consider = (agent: object, results: readonly CheckResult[]) =>
      void considered.push([(agent as typeof a).agentKey, results.length]);
    const join = () =>
      ingestJoined({ ...deps, secondOpinions: { consider } }, [
        { agent: a, results: [first!, second!] },
        { agent: b, results: [third!, { ...second! }] },
      ]);
    expect(await join()).to.deep.equal({ stored: 3, repeated: 1, dropped: 0 });
    const stored = await test.sql<{ agentKey: number }>(
      'SELECT agent_key AS "agentKey" FROM check_result WHERE monitor_key = ANY ($1) ORDER BY monitor_key',
      [monitors.map(({ key }) => key)],
    );
    expect(stored.map(({ agentKey }) => agentKey)).to.deep.equal([71, 71, 72]);
    expect(considered).to.deep.equal([
      [71, 2],
      [72, 2],
    ]);
    expect(await join()).to.deep.equal({ stored: 0, repeated: 4, dropped: 0 });
  });

  it('have the same effect in any division into batches', async () => {
    const mark = fc.constantFrom(UP, DOWN, BLIND);
    const chunk = fc.array(mark, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        async (chunks, random) => {
          const settings = { checksBeforeAlert: 2, checksBeforeRecovery: 2 };
          const [alone, mixed] = (await seedMonitors(test.database, workspaceId, 2, settings)).map(
            ({ key }) => key,
          ) as [number, number];
          let minute = 0;
          const now = NOON + 10 * MINUTE_MS;
          for (const outcomes of chunks) {
            const due = outcomes.map((outcome) => ({ outcome, ms: NOON + minute++ * MINUTE_MS }));
            for (const { outcome, ms } of due) await ingestAt(now, [resultOf(alone, ms, outcome)]);
            const shuffled = due
              .map((item) => ({ item, place: random.next().value }))
              .sort((a, b) => a.place - b.place);
            await ingestAt(
              now,
              shuffled.map(({ item }) => resultOf(mixed, item.ms, item.outcome)),
            );
          }
          const comparable = async (key: number) => {
            const series = await readSeries(key);
            // What is noted of the last failure is asked for only while it fails.
            const failure = series['streak_outcome'] === 2 ? {} : { answer_verified: false, failed_network: null };
            return { ...series, ...failure, monitor_key: 0, last_message: null };
          };
          expect(await comparable(mixed)).to.deep.equal(await comparable(alone));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('that are out of order or late complete the history, and change nothing newer', async () => {
    const { key } = await monitor();
    await ingestAt(NOON + 5 * MINUTE_MS, [resultOf(key, NOON + 5 * MINUTE_MS)]);
    const series = await readSeries(key);
    await ingestAt(
      NOON + 5 * MINUTE_MS,
      [1, 2, 3, 4].map((minute) => resultOf(key, NOON + minute * MINUTE_MS, DOWN)),
    );
    expect(await rowsOf(key)).to.equal(5);
    expect(await readSeries(key)).to.deep.equal(series);
  });

  it('of an agent that was cut off never open an incident in the past', async () => {
    const { key } = await monitor();
    await ingestAt(NOON, [resultOf(key, NOON)]);
    await ingestAt(
      NOON + 120 * MINUTE_MS,
      [1, 2, 3, 4, 5, 6].map((minute) => resultOf(key, NOON + minute * MINUTE_MS, DOWN)),
    );
    expect(await readSeries(key)).to.include({ failing: false, streak: 6, streak_outcome: 2 });
    await ingestAt(NOON + 120 * MINUTE_MS, [resultOf(key, NOON + 120 * MINUTE_MS)]);
    expect(await test.sql('SELECT FROM incident WHERE monitor_key = $1', [key])).to.have.length(0);
    expect((await test.sql('SELECT verdict FROM monitor_state WHERE monitor_key = $1', [key]))[0]).to.deep.equal({
      verdict: 'available',
    });
  });

  it('that are late in a stale series are decided once, and deciding again changes nothing', async () => {
    const stateOf = async (key: number) =>
      (await test.sql('SELECT verdict, health_status, memory FROM monitor_state WHERE monitor_key = $1', [key]))[0];
    // When a verdict was last decided: a decision locks its row.
    const looksAt = async (key: number) =>
      await test.value<string>('SELECT xmax::text AS by FROM monitor_state WHERE monitor_key = $1', [key]);
    const late = NOON + 120 * MINUTE_MS;
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.constantFrom(UP, DOWN, BLIND), { minLength: 1, maxLength: 12 }),
        async (wasUp, outcomes) => {
          const { key } = await monitor();
          await ingestAt(NOON, [resultOf(key, NOON, wasUp ? UP : DOWN)]);
          await ingestAt(NOON + MINUTE_MS, [resultOf(key, NOON + MINUTE_MS, wasUp ? UP : DOWN)]);
          deps.clock.set(late);
          await sweepSilence(deps);
          expect(await readSeries(key)).to.include({ stale: true, settled: true });
          for (const [index, outcome] of outcomes.entries()) {
            const before = [(await readSeries(key))['failing'], await looksAt(key)];
            await ingestAt(late, [resultOf(key, NOON + (2 + index) * MINUTE_MS, outcome)]);
            const after = [(await readSeries(key))['failing'], await looksAt(key)];
            expect(after[1] === before[1]).to.equal(after[0] === before[0]);
          }
          const decided = await stateOf(key);
          await test.sql('UPDATE monitor_state SET decide_at = $2 WHERE monitor_key = $1', [key, new Date(late)]);
          expect((await sweepSilence(deps)).decided).to.be.at.least(1);
          expect(await stateOf(key)).to.deep.equal(decided);
          // As soon as it is heard of again it counts.
          await ingestAt(late, [resultOf(key, late)]);
          expect(await stateOf(key)).to.include({ verdict: 'available' });
        },
      ),
      { numRuns: 25 },
    );
  });

  it('that are always late leave a silent monitor unknown, until the next one can come in time', async () => {
    const { key } = await monitor();
    const verdictOf = async () =>
      await test.value<string>('SELECT verdict FROM monitor_state WHERE monitor_key = $1', [key]);
    await ingestAt(NOON, [resultOf(key, NOON)]);
    const verdicts: string[] = [];
    // A result is fresh for 150 s, and the next one comes 60 s later.
    for (const lateMs of [100_000, 100_000, 100_000, 75_000, 60_000, 60_000]) {
      const scheduledMs = NOON + (verdicts.length + 1) * MINUTE_MS;
      deps.clock.set(scheduledMs + lateMs);
      await sweepSilence(deps);
      await ingestAt(scheduledMs + lateMs, [resultOf(key, scheduledMs)]);
      verdicts.push(await verdictOf());
    }
    expect(verdicts).to.deep.equal(['unknown', 'unknown', 'unknown', 'unknown', 'available', 'available']);
  });

  it('that cannot be stored are dropped and counted, and do not block the others', async () => {
    const { key } = await monitor();
    const deleted = await monitor();
    const abroad = await monitor({ regions: ['eastus2'] });
    await test.sql('UPDATE monitor SET deleted_at = now() WHERE key = $1', [deleted.key]);
    const batch = [
      resultOf(key, NOON),
      resultOf(999_999, NOON),
      resultOf(deleted.key, NOON),
      resultOf(key, NOON + 10 * MINUTE_MS),
      resultOf(key, NOON - 36 * 24 * 60 * MINUTE_MS),
      resultOf(abroad.key, NOON),
    ];
    expect(await ingestAt(NOON, batch)).to.deep.equal({ stored: 2, repeated: 0, dropped: 4 });
    expect(await ingestAt(NOON, [resultOf(key, NOON), resultOf(abroad.key, NOON)], 'eastus2')).to.include({
      stored: 1,
      dropped: 1,
    });
    const metrics = await deps.registry.metrics();
    for (const [region, reason, count] of [
      ['northeurope', 'unknown_monitor', 2],
      ['northeurope', 'future', 1],
      ['northeurope', 'expired', 1],
      ['eastus2', 'foreign_region', 1],
    ]) {
      expect(metrics).to.include(`watchpost_results_dropped_total{region="${region}",reason="${reason}"} ${count}`);
    }
  });

  it('with absurd numbers are stored with the nearest possible values', async () => {
    const { key } = await monitor();
    const absurd: CheckResult = {
      ...resultOf(key, NOON, DOWN),
      totalUs: 4_294_967_295,
      freshMs: 4_294_967_295,
      loopLagUs: Number.NaN,
      startedAtMs: NOON + 1e9,
      statusCode: 99_999,
      timings: { dnsUs: -5, connectUs: 1.5, tlsUs: 4_294_967_295, firstByteUs: 0, transferUs: 0 },
    };
    expect(await ingestAt(NOON, [absurd])).to.include({ stored: 1 });
    expect(
      (
        await test.sql(
          'SELECT total_us, dns_us, start_lag_ms, fresh_s, status_code FROM check_result WHERE monitor_key = $1',
          [key],
        )
      )[0],
    ).to.deep.equal({
      total_us: 2_147_483_647,
      dns_us: 0,
      start_lag_ms: 32_767,
      fresh_s: 150,
      status_code: 32_767,
    });
  });

  it('are fresh for longer where steps of their monitor always run, which take time after its timeout', async () => {
    const { key } = await monitor();
    const settings = JSON.stringify({ http: { steps: [{ name: 'log out', always: true }] } });
    await test.sql('UPDATE monitor SET settings = $2 WHERE key = $1', [key, settings]);
    for (const minute of [0, 1])
      await ingestAt(NOON + minute * MINUTE_MS, [{ ...resultOf(key, NOON + minute * MINUTE_MS), freshMs: 170_000 }]);
    expect(await test.sql(`SELECT DISTINCT fresh_s FROM check_result WHERE monitor_key = $1`, [key])).to.deep.equal([
      { fresh_s: 170 },
    ]);
  });

  it('are fresh no longer than the settings of their monitor allow, and only of kinds that it has', async () => {
    const { key } = await monitor();
    const day = 86_400_000;
    // the first of its series goes the general way, the second the common one
    for (const minute of [0, 1])
      await ingestAt(NOON + minute * MINUTE_MS, [{ ...resultOf(key, NOON + minute * MINUTE_MS), freshMs: day }]);
    expect(
      await test.sql(`SELECT DISTINCT fresh_s FROM check_result WHERE monitor_key = $1`, [key]),
      'two intervals and the time-out',
    ).to.deep.equal([{ fresh_s: 150 }]);
    const until = await test.value<Date>('SELECT fresh_until AS until FROM series WHERE monitor_key = $1', [key]);
    expect(until.getTime()).to.equal(NOON + MINUTE_MS + 150_000);

    const foreign = resultOf(key, NOON + MINUTE_MS, DOWN, 'ssl');
    expect(await ingestAt(NOON + MINUTE_MS, [foreign])).to.deep.equal({ stored: 0, repeated: 0, dropped: 1 });
    expect(await test.sql('SELECT FROM check_failure WHERE monitor_key = $1', [key])).to.have.length(0);
    expect(await deps.registry.metrics()).to.include('reason="foreign_kind"} 1');
  });

  it('of a monitor that was just paused are history, and change no verdict', async () => {
    const { key } = await monitor();
    await test.sql(`UPDATE monitor SET monitoring_status = 'paused' WHERE key = $1`, [key]);
    await ingestAt(NOON + MINUTE_MS, [resultOf(key, NOON, DOWN), resultOf(key, NOON + MINUTE_MS, DOWN)]);
    expect(await rowsOf(key)).to.equal(2);
    expect(await test.sql('SELECT FROM monitor_state WHERE monitor_key = $1', [key])).to.have.length(0);
  });

  it('are all stored or none if the database fails in the middle', async () => {
    const { key } = await monitor({ checksBeforeAlert: 1 });
    await ingestAt(NOON, [resultOf(key, NOON)]);
    const batch = [1, 2, 3].map((minute) => resultOf(key, NOON + minute * MINUTE_MS, DOWN));
    const outcome = await test.database.transaction(async (tx) => {
      // The verdict's row is held, so that ingest gets stuck with rows and series written and nothing committed.
      await tx.query('SELECT FROM monitor_state WHERE monitor_key = $1 FOR UPDATE', [key]);
      deps.clock.set(NOON + 3 * MINUTE_MS);
      const ingest = ingestBatch(deps, home, batch).then(
        () => 'stored',
        () => 'failed',
      );
      await eventually(
        'ingest waiting for the verdict',
        async () => {
          const [row] = await test.sql<{ ended: boolean }>(
            `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return row;
        },
        PATIENCE_MS,
        20,
      );
      return ingest;
    });
    expect(outcome).to.equal('failed');
    expect(await rowsOf(key)).to.equal(1);
    expect(await readSeries(key)).to.include({ streak: 1, streak_outcome: 1 });
    expect(await ingestBatch(deps, home, batch)).to.include({ stored: 3 });
    expect(await test.sql('SELECT FROM incident WHERE monitor_key = $1 AND NOT is_closed', [key])).to.have.length(1);
  });

  it('never deadlock, however many batches write about the same monitors', async () => {
    const monitors = await seedMonitors(test.database, workspaceId, 60, { regions: ['eastus2'], checksBeforeAlert: 1 });
    const shuffled = <Item>(items: Item[]) =>
      items
        .map((item) => ({ item, place: Math.random() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item);
    const writers = (['northeurope', 'eastus2', 'northeurope', 'eastus2'] as const).map(async (region) => {
      for (let minute = 0; minute < 30; minute++) {
        deps.clock.set(NOON + minute * MINUTE_MS + 500);
        // Sometimes one result of each series, sometimes two, and always some that others send too.
        const moments = minute % 2 === 0 ? [0, 20_000] : [0];
        const batch = monitors.flatMap(({ key }, index) =>
          moments.map((ms) => resultOf(key, NOON + minute * MINUTE_MS + ms, (index + minute) % 3 === 0 ? DOWN : UP)),
        );
        await ingestBatch(deps, agentIn(region), shuffled(batch).slice(0, minute % 2 === 0 ? 90 : 45));
      }
    });
    await Promise.all(writers);
    const deadlocks = await readDeadlocks(test);
    expect(deadlocks, deadlocks.join('\n')).to.have.length(0);
    const open = await test.sql(
      'SELECT monitor_key FROM incident WHERE NOT is_closed GROUP BY monitor_key HAVING count(*) > 1',
    );
    expect(open).to.have.length(0);
  });
});

describe('Results of a few series', () => {
  const test = databaseForSuite({ poolSize: 1 });

  it('are stored by plans that the server keeps', async () => {
    const { id } = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, id, 10);
    const deps = resultsDeps(test.database);
    deps.clock.set(NOON + MINUTE_MS);
    for (const { key } of monitors) {
      const batch = [resultOf(key, NOON, UP), resultOf(key, NOON + MINUTE_MS, UP)];
      await ingestBatch(deps, agentIn('northeurope'), batch);
    }
    const plans =
      await test.sql(`SELECT custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements
         WHERE statement LIKE '%INSERT INTO series%'`);
    // One statement for the first results of all series, and one for the second.
    const planned = { custom: 5, generic: 5 };
    expect(plans).to.deep.equal([planned, planned]);
  });
});
