import { pino } from 'pino';
import { expect } from 'chai';
import type { CheckResult } from '@watchpost/shared/outcome';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { BatchJoiner, ResultWriter } from '@watchpost/control-plane/capabilities/results/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { ResultPipeline } from '@watchpost/control-plane/capabilities/fleet/streams/result-pipeline';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { databaseForSuite } from '../../support/suite.js';
import {
  agentIn,
  NOON,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  type TestDeps,
} from '../../integration/results/seed.js';

const ROUNDS = 20;
const MONITORS = 5;
/** A time that the database refuses for the moment. */
const REFUSED_US = 666;

describe('results of one tenant that cannot be stored', function () {
  const test = databaseForSuite();
  let attacker: number[];
  let victim: number[];
  let pipeline: ResultPipeline;
  let acknowledged: number;
  let dropped: number;
  let failures: number;
  let deps: TestDeps;
  let sent: number;

  beforeEach(async () => {
    const { database: db } = test;
    const keysOfNew = async () =>
      (await seedMonitors(db, (await seedWorkspace(db)).id, MONITORS)).map(({ key }) => key);
    [attacker, victim] = [await keysOfNew(), await keysOfNew()];
    deps = resultsDeps(db);
    deps.clock.set(NOON + 30 * SECOND_MS);
    await deps.partitions.ensureFor([NOON]);
    [acknowledged, dropped, failures, sent] = [0, 0, 0, 0];
    const writer = new ResultWriter({ ...deps, logger: pino({ level: 'silent' }) });
    writer.onUnstorable = () => void dropped++;
    const joiner = new BatchJoiner(writer);
    const agent = agentIn('northeurope');
    pipeline = new ResultPipeline({
      ingest: async (results, onRest) => {
        await joiner.ingest(agent, results, onRest);
        return [];
      },
      acknowledge: (through) => (acknowledged = through),
      pause: () => undefined,
      resume: () => undefined,
      refuse: (error) => {
        throw error;
      },
      onFailure: () => failures++,
      onAcknowledged: () => undefined,
    });
  });

  const storedOf = async (keys: readonly number[]) =>
    (await test.sql('SELECT FROM check_result WHERE monitor_key = ANY ($1)', [keys])).length;

  /** Sends one result of each monitor. @returns how long it took until those of the victim were stored, ms */
  async function sendRound(change: (result: CheckResult) => CheckResult = (result) => result): Promise<number> {
    const round = sent++;
    const of = (key: number) => resultOf(key, NOON + round * SECOND_MS);
    const results = [...attacker.map((key) => change(of(key))), ...victim.map(of)];
    const firstSequence = round * results.length + 1;
    const since = performance.now();
    pipeline.push({
      firstSequence,
      lastSequence: firstSequence + results.length - 1,
      results,
      size: 1,
      spoolId: 'one',
    });
    while ((await storedOf(victim)) < (round + 1) * MONITORS) await new Promise((resolve) => setTimeout(resolve, 5));
    return Math.round(performance.now() - since);
  }

  it('are dropped alone, and those of another in the same batches are stored and acknowledged', async () => {
    await test.sql(`ALTER TABLE check_result ADD CONSTRAINT refused CHECK (total_us <> ${REFUSED_US}) NOT VALID`);
    try {
      for (let round = 0; round < ROUNDS; round++)
        await sendRound((result) =>
          result.key.monitorKey === attacker[2] ? { ...result, totalUs: REFUSED_US } : result,
        );
      await pipeline.idle();
    } finally {
      await test.sql('ALTER TABLE check_result DROP CONSTRAINT refused');
    }
    expect({ acknowledged, dropped, failures }).to.deep.equal({
      acknowledged: ROUNDS * 2 * MONITORS,
      dropped: ROUNDS,
      failures: 0,
    });
    expect(await storedOf(attacker), 'his own others').to.equal(ROUNDS * (MONITORS - 1));
    printFairnessFigure({
      attack: 21,
      measure: `results of another that are not stored, of ${ROUNDS * MONITORS}`,
      before: 0,
      during: ROUNDS * MONITORS - (await storedOf(victim)),
      limit: '0',
    });
  });

  it('are set aside while their rows are locked, for which those of another in the same batches do not wait', async () => {
    const alone = Math.max(await sendRound(), await sendRound());
    const took = await test.database.transaction(async (tx) => {
      await tx.query('SELECT FROM series WHERE monitor_key = ANY ($1) ORDER BY monitor_key FOR UPDATE', [attacker]);
      const took: number[] = [];
      while (sent < ROUNDS) took.push(await sendRound());
      expect(acknowledged, 'nothing that is not committed').to.equal(2 * 2 * MONITORS);
      return took;
    });
    await pipeline.idle();
    expect({ acknowledged, dropped, failures }).to.deep.equal({
      acknowledged: sent * 2 * MONITORS,
      dropped: 0,
      failures: 0,
    });
    expect(await storedOf(attacker), 'they are stored when the lock ends').to.equal(sent * MONITORS);
    const [first, ...later] = took;
    printFairnessFigure({
      attack: 22,
      measure: 'until a result of another is stored while rows are locked, ms',
      before: alone,
      during: `${first}, then ${Math.max(...later)}`,
      limit: 'before the lock ends',
    });
  });

  describe('and verdicts that the sweep for silence cannot store', () => {
    /** All of them have a result that is not fresh any more. */
    beforeEach(async () => {
      await sendRound();
      await pipeline.idle();
      deps.clock.set(NOON + 10 * MINUTE_MS);
    });
    const unknown = async (keys: readonly number[]) =>
      (await test.sql(`SELECT FROM monitor_state WHERE monitor_key = ANY ($1) AND health_status IS NULL`, [keys]))
        .length;

    it('delay no verdict of another, and are tried again a minute later', async () => {
      const refused = attacker[2]!;
      const change = (sql: string) => test.sql(`ALTER TABLE monitor_state ${sql}`);
      await change(`ADD CONSTRAINT refused CHECK (monitor_key <> ${refused} OR health_status IS NOT NULL) NOT VALID`);
      deps.logged.length = 0;
      try {
        await sweepSilence(deps);
      } finally {
        await change('DROP CONSTRAINT refused');
      }
      expect(deps.logged.map(({ monitors, monitorKey }) => [monitors, monitorKey])).to.deep.equal([[1, refused]]);
      expect([await unknown(victim), await unknown(attacker)]).to.deep.equal([MONITORS, MONITORS - 1]);
      deps.clock.advance(MINUTE_MS + 1);
      await sweepSilence(deps);
      expect(await unknown(attacker)).to.equal(MONITORS);
    });

    it('are as due as before where another monitor of the same owner is locked', async () => {
      await sweepSilence(deps);
      deps.clock.advance(MINUTE_MS);
      const due = new Date(deps.clock.now());
      await test.sql('UPDATE monitor_state SET decide_at = $2 WHERE monitor_key = ANY ($1)', [attacker, due]);
      await test.database.transaction(async (tx) => {
        await tx.query('SELECT FROM monitor_state WHERE monitor_key = $1 FOR UPDATE', [attacker[2]]);
        await sweepSilence(deps);
      });
      await sweepSilence(deps);
      const late = await test.sql('SELECT FROM monitor_state WHERE monitor_key = ANY ($1) AND decide_at >= $2', [
        attacker,
        due,
      ]);
      expect(late).to.have.length(0);
    });

    it('delay no verdict of another while their rows are locked', async () => {
      await test.database.transaction(async (tx) => {
        await tx.query('SELECT FROM monitor_state WHERE monitor_key = ANY ($1) ORDER BY monitor_key FOR UPDATE', [
          attacker,
        ]);
        await sweepSilence(deps);
        expect(await unknown(victim)).to.equal(MONITORS);
      });
      expect(await unknown(attacker)).to.equal(0);
      await sweepSilence(deps);
      expect(await unknown(attacker)).to.equal(MONITORS);
    });
  });
});
