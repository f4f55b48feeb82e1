import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { newId } from '@watchpost/shared/id';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch, ingestJoined } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { suspectPeriodStore } from '@watchpost/control-plane/capabilities/verdicts/trust/suspect-period-store';
import { answer, down } from '../verdicts/detail-seed.js';
import { databaseForSuite, startedForEach } from '../../support/suite.js';
import { agentIn, BLIND, BROKEN, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace, UP } from './seed.js';

const REGIONS: readonly Region[] = ['northeurope', 'eastus2', 'japaneast', 'westus3'];
const SUSPECT: Region = 'eastus2';
/** From which minute after noon it is suspect. */
const SUSPECT_FROM = 2;
/** Does not check the monitors. */
const FOREIGN: Region = 'westus3';
const MINUTES = 5;

/** A check that a region reports; a repetition has the same outcome. */
const reports = fc.record({
  region: fc.constantFrom(...REGIONS),
  minute: fc.nat(MINUTES),
  kind: fc.constantFrom('http' as const, 'dns' as const),
});
type Report = typeof reports extends fc.Arbitrary<infer Value> ? Value : never;
const observation = fc.tuple(fc.constantFrom(UP, DOWN, BROKEN, BLIND), fc.constantFrom('192.0.2.1', '192.0.2.2'));
type Observe = (report: Report) => typeof observation extends fc.Arbitrary<infer Value> ? Value : never;

describe('Results of several regions in one transaction', () => {
  const test = databaseForSuite();
  const deps = startedForEach(() => resultsDeps(test.database));
  let workspaceId: string;

  before(async () => {
    workspaceId = (await seedWorkspace(test.database)).id;
    const period = { id: newId(NOON), region: SUSPECT, reason: 'correlated_failures', facts: {} } as const;
    const onsetMs = NOON + SUSPECT_FROM * MINUTE_MS;
    await test.database.transaction((tx) => suspectPeriodStore.begin(tx, { ...period, onsetMs, noticedMs: onsetMs }));
  });

  const resultFrom = (monitorKey: number, observe: Observe, report: Report): CheckResult => {
    const [outcome, address] = observe(report);
    const { kind } = report;
    const atMs = NOON + report.minute * MINUTE_MS;
    if (kind === 'http' || outcome.kind === 'inconclusive') return resultOf(monitorKey, atMs, outcome, kind);
    const seen = outcome.kind === 'up' ? UP : down('dns_mismatch', 'The record is another one.');
    return { ...resultOf(monitorKey, atMs, seen, kind), detail: answer({ A: [address] }) };
  };

  /** All that is stored about a monitor, without its key. */
  const storedOf = async (monitorKey: number) => {
    const stored: Record<string, unknown> = {};
    for (const table of ['series', 'check_result', 'check_failure', 'check_detail', 'last_answer', 'check_answer']) {
      const row = `to_jsonb(stored) - 'monitor_key'`;
      stored[table] = await test.sql(
        `SELECT ${row} AS row FROM ${table} stored WHERE monitor_key = $1 ORDER BY (${row})::text`,
        [monitorKey],
      );
    }
    return stored;
  };

  const outcomesOf = async (monitorKey: number) => {
    const rows = await test.sql<{ code: number; kind: number; outcome: number; minute: number }>(
      `SELECT region AS code, kind, outcome, (extract(epoch FROM scheduled_at - $2::timestamptz) / 60)::integer AS minute
       FROM check_result WHERE monitor_key = $1`,
      [monitorKey, new Date(NOON)],
    );
    return rows.map(({ code, kind, outcome, minute }) => ({
      region: regionOfCode(code),
      kind: kind === CHECK_KIND_CODES.dns ? ('dns' as const) : ('http' as const),
      outcome: (['up', 'down', 'inconclusive'] as const)[outcome - 1],
      minute,
    }));
  };
  const detailsOf = (monitorKey: number, region: Region) =>
    test.sql('SELECT FROM check_detail WHERE monitor_key = $1 AND region = $2', [monitorKey, regionCode(region)]);

  it('are stored as region by region: series, rows, evidence, answers, and what a suspect region reports', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(reports, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        fc.array(observation, { minLength: 108, maxLength: 108 }),
        async (batches, observations) => {
          const observe: Observe = ({ region, minute, kind }) =>
            observations[regionCode(region) * 12 + minute * 2 + (kind === 'dns' ? 1 : 0)]!;
          const settings = { regions: ['eastus2', 'japaneast'] as Region[], types: ['HttpAvailability', 'Dns'] };
          const [apart, joined] = (await seedMonitors(test.database, workspaceId, 2, settings)).map(({ key }) => key);
          for (const [index, batch] of batches.entries()) {
            deps.clock.set(NOON + (MINUTES + index) * MINUTE_MS);
            const partsOf = (key: number) =>
              REGIONS.flatMap((region) => {
                const results = batch
                  .filter((each) => each.region === region)
                  .map((each) => resultFrom(key, observe, each));
                return results.length === 0 ? [] : [{ agent: agentIn(region), results }];
              });
            const sum = { stored: 0, repeated: 0, dropped: 0 };
            for (const { agent, results } of partsOf(apart!)) {
              const { stored, repeated, dropped } = await ingestBatch(deps, agent, results);
              sum.stored += stored;
              sum.repeated += repeated;
              sum.dropped += dropped;
            }
            expect(await ingestJoined(deps, partsOf(joined!))).to.deep.equal(sum);
            expect(sum.dropped).to.equal(batch.filter(({ region }) => region === FOREIGN).length);
          }
          expect(await storedOf(joined!)).to.deep.equal(await storedOf(apart!));
          for (const { region, minute, kind, outcome } of await outcomesOf(joined!)) {
            const [{ kind: reported }] = observe({ region, minute, kind });
            const isDiscounted = reported === 'down' && region === SUSPECT && minute >= SUSPECT_FROM;
            expect(outcome, `${kind} in ${region}, minute ${minute}`).to.equal(
              isDiscounted ? 'inconclusive' : reported,
            );
          }
          expect(await detailsOf(joined!, FOREIGN)).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are counted by region, whether they are stored, repeated or dropped', async () => {
    const [monitor] = await seedMonitors(test.database, workspaceId, 1, { regions: ['japaneast'] });
    const result = resultOf(monitor!.key, NOON);
    const parts = (['northeurope', 'japaneast', 'westus3'] as Region[]).map((region) => ({
      agent: agentIn(region),
      results: [result],
    }));
    await ingestBatch(deps, agentIn('northeurope'), [result]);
    expect(await ingestJoined(deps, parts)).to.deep.equal({ stored: 1, repeated: 1, dropped: 1 });
    const metrics = await deps.registry.metrics();
    for (const line of [
      'watchpost_results_stored_total{region="northeurope"} 1',
      'watchpost_results_stored_total{region="japaneast"} 1',
      'watchpost_results_repeated_total{region="northeurope"} 1',
      'watchpost_results_dropped_total{region="westus3",reason="foreign_region"} 1',
      'watchpost_results_outcomes_total{region="japaneast",outcome="up"} 1',
    ])
      expect(metrics).to.include(line);
    expect(metrics).not.to.include('watchpost_results_stored_total{region="westus3"}');
  });
});
