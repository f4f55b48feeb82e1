import { expect } from 'chai';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { SecondOpinions } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import type { FirstFailure } from '@watchpost/control-plane/capabilities/verdicts/trust/second-opinion-store';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  agentIn,
  BLIND,
  DOWN,
  NOON,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSeed,
  type MonitorSettings,
  type TestDeps,
} from '../results/seed.js';

const HOME: Region = 'northeurope';
const AWAY: Region = 'eastus2';

/** With 30 places in all, an owner that kept one for each of these would get no other. */
const ROUNDS = 12;

describe('A second opinion', () => {
  let test: TestDatabase;
  let deps: TestDeps;
  let opinions: SecondOpinions;
  let monitors: MonitorSeed[];
  let asked: FirstFailure[];
  /** The answer of the agent that is asked; null: there is none. */
  let elsewhere: Outcome | null;
  let foundElsewhere: Partial<CheckResult>;

  beforeEach(async () => {
    test = await createTestDatabase();
    [asked, elsewhere, monitors, foundElsewhere] = [[], UP, [], {}];
    const base = resultsDeps(test.database);
    opinions = new SecondOpinions({
      ...base,
      agents: {
        async ask({ agentId: _, ...failure }) {
          asked.push(failure);
          return elsewhere === null
            ? { refusal: 'There is nobody.' }
            : {
                region: AWAY,
                result: { ...resultOf(failure.monitorKey, base.clock.now(), elsewhere), ...foundElsewhere },
              };
        },
      },
    });
    deps = { ...base, secondOpinions: opinions };
  });
  afterEach(async () => {
    expect(deps.logged.filter(({ msg }) => msg === 'a second opinion failed')).to.deep.equal([]);
    await test.drop();
  });

  const seed = async (count: number, settings: MonitorSettings = {}) => {
    for (let index = 0; index < count; index++)
      monitors.push(...(await seedMonitors(test.database, (await seedWorkspace(test.database)).id, 1, settings)));
    await test.sql(`UPDATE monitor SET url = 'https://www.site-' || key || '.test/', site = 'site-' || key || '.test'`);
  };
  const observe = async (minute: number, outcome: Outcome, region: Region = HOME, found: Partial<CheckResult> = {}) => {
    const dueMs = NOON + minute * MINUTE_MS;
    deps.clock.set(dueMs + 500);
    // Each monitor's site is in a network of its own.
    const results = monitors.map(({ key }): CheckResult => ({
      ...resultOf(key, dueMs, outcome),
      address: `203.0.${key % 256}.7:443`,
      ...found,
      key: { monitorKey: key, kind: found.key?.kind ?? 'http' },
    }));
    await ingestBatch(deps, agentIn(region), results);
    await opinions.idle();
  };
  const contexts = async () =>
    (await test.sql<{ context: { secondOpinions?: Record<string, unknown>[] } }>('SELECT context FROM incident')).map(
      ({ context }) => context.secondOpinions,
    );

  it('is requested once per streak, and shown as evidence of the incident that follows', async () => {
    await seed(1);
    for (const [minute, outcome] of [UP, DOWN, DOWN, DOWN].entries()) await observe(minute, outcome);
    expect(asked).to.deep.equal([
      { monitorKey: monitors[0]!.key, kind: 'http', region: HOME, sinceMs: NOON + MINUTE_MS },
    ]);
    const [[opinion]] = (await contexts()) as [[Record<string, unknown>]];
    expect(opinion).to.include({ failedIn: HOME, region: AWAY, outcome: 'up', message: null, statusCode: 200 });
    for (const [index, outcome] of [UP, DOWN].entries()) await observe(4 + index, outcome);
    expect(asked).to.have.length(2);
  });

  it('joins the evidence of an incident that opened before it was answered', async () => {
    await seed(1, { checksBeforeAlert: 1 });
    elsewhere = DOWN;
    await observe(0, UP);
    await observe(1, DOWN);
    const [[opinion]] = (await contexts()) as [[Record<string, unknown>]];
    expect(opinion).to.include({ outcome: 'down', reason: 'connection_refused', phase: 'connect' });
  });

  it('counts neither as a check nor for a region', async () => {
    await seed(1);
    for (const [minute, outcome] of [UP, DOWN].entries()) await observe(minute, outcome);
    expect(await test.sql('SELECT outcome FROM check_result ORDER BY scheduled_at')).to.deep.equal([
      { outcome: 1 },
      { outcome: 2 },
    ]);
    expect(await test.sql('SELECT DISTINCT region FROM series')).to.have.length(1);
  });

  it('is not requested for what is up, inconclusive or failing already; a missing agent is recorded as the reason', async () => {
    await seed(1);
    elsewhere = null;
    for (const [minute, outcome] of [UP, BLIND, DOWN, DOWN].entries()) await observe(minute, outcome);
    expect(asked).to.have.length(1);
    expect(await contexts()).to.deep.equal([undefined]);
    expect(await test.sql('SELECT outcome, refusal FROM second_opinion')).to.deep.equal([
      { outcome: null, refusal: 'There is nobody.' },
    ]);
    expect(await deps.registry.metrics()).to.include('watchpost_second_opinions_total{outcome="nobody"} 1');
  });

  it('repeats steps that may change something only where the monitor is safe to repeat, and counts the others as skipped', async () => {
    const [reads, posts, safe] = ['HEAD', 'POST', 'POST'].map((method, at) => ({
      http: { steps: [{ method: 'GET' }, { method }], safeToRepeat: at === 2 },
    }));
    for (const settings of [reads, posts, safe]) {
      await seed(1);
      await test.sql('UPDATE monitor SET settings = $2 WHERE key = $1', [
        monitors.at(-1)!.key,
        JSON.stringify(settings),
      ]);
    }
    await observe(0, UP);
    await observe(1, DOWN);
    expect(asked.map(({ monitorKey }) => monitorKey)).to.have.members([monitors[0]!.key, monitors[2]!.key]);
    expect(await deps.registry.metrics()).to.include('watchpost_second_opinions_total{outcome="skipped"} 1');
  });

  for (const [kind, type] of [
    ['tcpUdp', 'TcpUdp'],
    ['ssl', 'SslCertificate'],
  ] as const)
    it(`is requested once for a partial failure of ${kind}, and changes nothing that is known of the addresses`, async () => {
      const partly: Outcome = { ...DOWN, phase: 'tls', reason: 'certificate_invalid', isPartial: true } as Outcome;
      const found = (last: number, isFailing: boolean): Partial<CheckResult> => ({
        key: { monitorKey: 0, kind },
        addresses: [1, last].map((each, at) => ({
          address: `192.0.2.${each}`,
          status: isFailing && at === 1 ? 'unavailable' : 'available',
          responseUs: 1,
          certificateFingerprint: null,
          message: null,
        })),
      });
      await seed(1, { types: [type] });
      [elsewhere, foundElsewhere] = [partly, found(9, true)];
      await observe(0, UP, HOME, found(2, false));
      await observe(1, partly, HOME, found(2, true));
      const known = await test.sql('SELECT * FROM check_finding');
      expect(known).to.have.length(1);
      expect(JSON.stringify(known)).to.not.include('192.0.2.9');
      await observe(2, { ...DOWN }, HOME, found(2, true));
      expect(asked).to.deep.equal([{ monitorKey: monitors[0]!.key, kind, region: HOME, sinceMs: NOON + MINUTE_MS }]);
      expect(await test.sql('SELECT DISTINCT region FROM series')).to.have.length(1);
      const [[opinion]] = (await contexts()) as [[Record<string, unknown>]];
      expect(opinion).to.include({ region: AWAY, outcome: 'down', reason: 'certificate_invalid' });
    });

  it('is requested for failures of all owners beside hundreds of failures of one', async () => {
    const { id } = await seedWorkspace(test.database);
    monitors.push(...(await seedMonitors(test.database, id, 300)));
    await seed(1);
    await observe(0, UP);
    await observe(1, DOWN);
    expect(asked.map(({ monitorKey }) => monitorKey)).to.include(monitors.at(-1)!.key);
    expect(asked).to.have.length(9);
  });

  it('gives its place back when it has ended, although others that were requested with it are still awaited', async () => {
    await seed(1);
    const [fast] = monitors;
    let endSilence = (): void => {};
    const silence = new Promise<void>((resolve) => (endSilence = resolve));
    const slow = new SecondOpinions({
      ...deps,
      agents: {
        async ask({ monitorKey }) {
          asked.push({ monitorKey, kind: 'http', region: HOME, sinceMs: 0 });
          if (monitorKey !== fast!.key) await silence;
          return { refusal: 'There is nobody.' };
        },
      },
    });
    await seed(ROUNDS);
    deps = { ...deps, secondOpinions: slow };
    await observe(0, UP);
    const silent = monitors.slice(1);
    for (const [round, mate] of silent.entries()) {
      monitors = [fast!, mate];
      await observe(2 * round + 1, DOWN);
      const expected = 2 * (round + 1);
      await eventually('both failures are asked about', () => asked.length === expected || undefined, PATIENCE_MS, 5);
      await observe(2 * round + 2, UP);
    }
    endSilence();
    await slow.idle();
  });

  it('does not delay the judgement of a region without another agent to ask', async () => {
    await seed(12);
    elsewhere = null;
    await observe(0, UP);
    await observe(1, DOWN);
    await sweepSilence(deps);
    expect(await test.sql('SELECT reason FROM suspect_period')).to.deep.equal([{ reason: 'correlated_failures' }]);
  });

  it('is requested for only a few failures when everything fails, and reveals that the region is blind', async () => {
    await seed(40);
    await observe(0, UP);
    await sweepSilence(deps);
    await observe(1, DOWN);
    expect(asked).to.have.length(30);
    expect(await deps.registry.metrics()).to.include('watchpost_second_opinions_total{outcome="skipped"} 10');
    await sweepSilence(deps);
    expect(await test.sql('SELECT reason, facts FROM suspect_period')).to.have.nested.property(
      '[0].facts.upElsewhere',
      30,
    );
    await observe(2, DOWN);
    await sweepSilence(deps);
    expect(await contexts()).to.deep.equal([]);
  });
});
