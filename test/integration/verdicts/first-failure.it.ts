import { expect } from 'chai';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { AnswerHolds } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { suspectPeriodStore } from '@watchpost/control-plane/capabilities/verdicts/trust/suspect-period-store';
import { newId } from '@watchpost/shared/id';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { databaseForEach } from '../../support/suite.js';
import {
  agentIn,
  BROKEN,
  DOWN,
  failedExaminations,
  NOON,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSeed,
  type TestDeps,
} from '../results/seed.js';

const HOME: Region = 'northeurope';
const SWEEP_MS = 2 * SECOND_MS;

describe('The first failure of a monitor in a shared region', () => {
  const test = databaseForEach();
  let deps: TestDeps;
  let monitors: MonitorSeed[];

  beforeEach(async () => {
    deps = resultsDeps(test.database);
  });

  const incidents = async () => (await test.sql('SELECT FROM incident')).length;
  /** Monitors of as many owners, which alert at their first failure, and are up; their checks are distributed over the minute. */
  const seed = async (count: number) => {
    monitors = [];
    for (let index = 0; index < count; index++)
      monitors.push(
        ...(await seedMonitors(test.database, (await seedWorkspace(test.database)).id, 1, { checksBeforeAlert: 1 })),
      );
    await test.sql(`UPDATE monitor SET site = 'site-' || key || '.test'`);
    deps.clock.set(NOON + MINUTE_MS);
    await ingestBatch(
      deps,
      agentIn(HOME),
      monitors.map(({ key }, index) => resultOf(key, dueMs(0, index))),
    );
    await sweepSilence(deps);
  };
  const dueMs = (minute: number, index: number) =>
    NOON + minute * MINUTE_MS + Math.floor((index * MINUTE_MS) / monitors.length);
  const check = (index: number, outcome: Outcome, more: Partial<CheckResult> = {}) =>
    ingestBatch(deps, agentIn(HOME), [
      { ...resultOf(monitors[index]!.key, dueMs(1, index), outcome), address: `203.0.${index}.7:443`, ...more },
    ]);
  const answered = (digest: number) => ({ answer: 'complete', answerDigest: digest }) as const;
  const sweepAfter = async (ms: number) => {
    deps.clock.advance(ms);
    await sweepSilence(deps);
  };
  /** Everything is checked in its turn, and the first monitor is down. @returns ms from its failure to its incident */
  const timeToIncident = async (others: Outcome): Promise<number> => {
    const startMs = deps.clock.now();
    await check(0, DOWN);
    let index = 1;
    while ((await incidents()) === 0 && deps.clock.now() < startMs + 40 * SECOND_MS) {
      deps.clock.advance(SWEEP_MS);
      for (; index < monitors.length && dueMs(1, index) < deps.clock.now(); index++) await check(index, others);
      await sweepSilence(deps);
    }
    return (await incidents()) === 0 ? Infinity : deps.clock.now() - startMs;
  };

  it('opens its incident with the next examination where the region checks too little to be recognised as blind', async () => {
    await seed(12);
    expect(await timeToIncident(UP)).to.equal(SWEEP_MS);
    expect(await deps.registry.metrics()).to.include('watchpost_incidents_held 1');
    await sweepAfter(0);
    expect(await deps.registry.metrics()).to.include('watchpost_incidents_held 0');
  });

  it('opens its incident as soon as the region has reached five unrelated sites since', async () => {
    await seed(60);
    expect(await timeToIncident(UP)).to.equal(3 * SWEEP_MS);
  });

  it('opens none where everything else fails too', async () => {
    await seed(60);
    expect(await timeToIncident(DOWN)).to.equal(Infinity);
    expect(await test.sql('SELECT FROM suspect_period')).to.have.length(1);
  });

  it('that follows from an answer opens its incident within two seconds, whatever fails beside it', async () => {
    await seed(60);
    for (let index = 1; index < 6; index++) await check(index, DOWN);
    await check(0, BROKEN, answered(7));
    await test.sql(
      `INSERT INTO second_opinion (monitor_key, kind, region, streak_since, asked)
       SELECT monitor_key, kind, region, streak_since, $1 FROM series WHERE failing`,
      [new Date(deps.clock.now())],
    );
    await sweepAfter(SECOND_MS);
    expect(await incidents()).to.equal(0);
    await sweepAfter(SECOND_MS);
    expect(await test.sql('SELECT monitor_key AS key FROM incident')).to.deep.equal([{ key: monitors[0]!.key }]);
  });

  it('that follows from an answer opens it also where nothing can be examined', async () => {
    await seed(12);
    await check(0, BROKEN, answered(7));
    await test.sql('ALTER VIEW suspect_subject RENAME TO suspect_subject_away');
    await sweepAfter(2 * SECOND_MS);
    expect([failedExaminations(deps), await incidents()]).to.deep.equal([1, 1]);
  });

  it('is held like silence where unrelated sites give the same answer, and opens none if the region is blind', async () => {
    await seed(60);
    for (let index = 0; index < 12; index++) {
      await check(index, BROKEN, answered(7));
      await sweepAfter(200);
    }
    await sweepAfter(9 * SECOND_MS);
    expect(await incidents()).to.equal(0);
    for (let index = 12; index < 60; index++) await check(index, BROKEN, answered(7));
    await sweepAfter(SECOND_MS);
    expect(await test.sql('SELECT reason FROM suspect_period')).to.deep.equal([{ reason: 'correlated_failures' }]);
    await sweepAfter(30 * SECOND_MS);
    expect(await incidents()).to.equal(0);
  });

  it('is not delayed by the same answers of one owner or one network', async () => {
    await seed(60);
    await test.sql(`UPDATE workspace SET owner_id = (SELECT min(owner_id::text)::uuid FROM workspace) WHERE id <> $1`, [
      monitors[0]!.workspaceId,
    ]);
    for (let index = 1; index < 30; index++) await check(index, BROKEN, answered(7));
    await check(0, BROKEN, answered(7));
    await sweepAfter(2 * SECOND_MS);
    const opened = await test.sql('SELECT FROM incident WHERE monitor_key = $1', [monitors[0]!.key]);
    expect(opened).to.have.length(1);
  });

  it('that follows from an answer is reviewed in time by the process that stored it, without a sweep', async () => {
    await seed(60);
    const answerHolds = new AnswerHolds({ ...deps, clock: { now: () => deps.clock.now() + 1_500 } });
    deps = { ...deps, answerHolds };
    for (let index = 1; index < 4; index++) await check(index, DOWN);
    await check(0, BROKEN, answered(7));
    expect(await incidents()).to.equal(0);
    await answerHolds.idle();
    expect([await incidents(), deps.logged]).to.deep.equal([1, []]);
  });

  it('is not released by an examination that failed, and opens its incident after half a minute in any case', async () => {
    await seed(12);
    await check(0, DOWN);
    await test.sql('ALTER VIEW suspect_subject RENAME TO suspect_subject_away');
    await sweepAfter(12 * SECOND_MS);
    await sweepAfter(17 * SECOND_MS);
    expect([failedExaminations(deps), await incidents()]).to.deep.equal([2, 0]);
    await sweepAfter(SECOND_MS);
    expect(await incidents()).to.equal(1);
  });

  it('waits for the second opinion that was asked for, until it is answered or refused', async () => {
    await seed(12);
    await check(0, DOWN);
    await test.sql(
      `INSERT INTO second_opinion (monitor_key, kind, region, streak_since, asked)
       SELECT monitor_key, kind, region, streak_since, $1 FROM series WHERE failing`,
      [new Date(deps.clock.now())],
    );
    await sweepAfter(12 * SECOND_MS);
    expect(await incidents()).to.equal(0);
    await test.sql(`UPDATE second_opinion SET answered = $1, refusal = 'There is nobody.'`, [
      new Date(deps.clock.now()),
    ]);
    await sweepAfter(0);
    expect(await incidents()).to.equal(1);
  });

  it('is not released by an examination that began before it was stored', async () => {
    await seed(12);
    await test.database.transaction(async (tx) => {
      // A region that is suspect lets the examination begin, and the lock lets it wait.
      const nowMs = deps.clock.now();
      const facts = { id: newId(nowMs), region: 'eastus2', reason: 'correlated_failures', facts: {} } as const;
      await test.sql(
        `INSERT INTO suspect_period (id, region, reason, onset, noticed, facts) VALUES ($1, 2, $2, $3, $3, '{}')`,
        [facts.id, facts.reason, new Date(nowMs)],
      );
      expect(await suspectPeriodStore.take(tx, 0)).to.equal(true);
      const swept = sweepSilence(deps);
      await eventually(
        'the sweep examines the regions',
        async () =>
          (
            await test.sql(
              `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_xact_lock%' AND state = 'idle in transaction' AND pid <> pg_backend_pid() OFFSET 1`,
            )
          )[0],
        PATIENCE_MS,
        5,
      );
      await check(0, DOWN);
      deps.clock.advance(12 * SECOND_MS);
      await tx.query('COMMIT');
      await swept;
      await tx.query('BEGIN');
    });
    expect(await incidents()).to.equal(0);
    await sweepAfter(0);
    expect(await incidents()).to.equal(1);
  });
});
