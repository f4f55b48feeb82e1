import { expect } from 'chai';
import fc from 'fast-check';
import { regionCode, type Region } from '@watchpost/shared/region';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { failingSeriesStore } from '@watchpost/control-plane/capabilities/verdicts/trust/failing-series-store';
import { FailingShares } from '@watchpost/control-plane/capabilities/verdicts/trust/failing-shares';
import { holdStore } from '@watchpost/control-plane/capabilities/verdicts/verdict/hold-store';
import { SweepMemory } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { NOON, resultsDeps, seedMonitors, seedWorkspace } from '../results/seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';

const REGIONS: readonly Region[] = ['northeurope', 'eastus2'];
const OWNERS = 8;
const MONITORS_OF_OWNER = 3;

describe('What failing series count in their regions', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let keys: number[];

  beforeEach(async () => {
    keys = [];
    for (let owner = 0; owner < OWNERS; owner++) {
      const { id } = await seedWorkspace(test.database);
      const monitors = await seedMonitors(test.database, id, MONITORS_OF_OWNER, { regions: ['eastus2'] });
      keys.push(...monitors.map(({ key }) => key));
    }
    // Two of the three monitors of an owner are of one site.
    await test.sql(`UPDATE monitor SET site = 'site-' || key - (key % 3 = 0)::integer WHERE key = ANY ($1)`, [keys]);
    await test.sql(
      `INSERT INTO series (monitor_key, counts_from, last_scheduled_at, last_started_at, conclusive_at, fresh_until,
         streak_since, last_total_us, streak, kind, region, last_outcome, streak_outcome, last_status_code, alert_after,
         recover_after, failing, settled)
       SELECT key, $2, $2, $2, $2, $2::timestamptz + interval '1 day', $2, 1000, 1, 1, region, 1, 1, 200, 2, 1, false, true
       FROM unnest($1::bigint[]) AS key, unnest($3::smallint[]) AS region`,
      [keys, new Date(NOON), REGIONS.map(regionCode)],
    );
  });

  const fail = (key: number, region: Region, isFailing: boolean, sinceMs: number) =>
    test.sql(
      `UPDATE series SET streak_outcome = $3, last_outcome = $3, streak_since = $4 WHERE monitor_key = $1 AND region = $2`,
      [key, regionCode(region), isFailing ? 2 : 1, new Date(sinceMs)],
    );
  const isFound = (nowMs: number) =>
    test.database.read(async (tx) => (await failingSeriesStore.failingRegions(tx, nowMs)).length > 0);
  const isRemembered = (shares: FailingShares, nowMs: number) =>
    test.database.read(async (tx) =>
      shares.areExamined(tx, await holdStore.look(tx, nowMs, 20 * SECOND_MS, 100), nowMs),
    );

  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('fail' as const),
        monitor: fc.nat({ max: OWNERS * MONITORS_OF_OWNER - 1 }),
        region: fc.constantFrom(...REGIONS),
        isFailing: fc.constantFrom(true, true, true, false),
        ageMs: fc.constantFrom(0, 5 * MINUTE_MS, 9 * MINUTE_MS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('sites' as const),
        owner: fc.nat({ max: OWNERS - 1 }),
        sites: fc.constantFrom(0, 1, 20, 40, 400),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), owner: fc.nat({ max: OWNERS - 1 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(2_000, 40_000, -9e6) }),
    },
  );

  it('is the same with what is remembered as when all is read', async () => {
    const seen = { examined: 0, calm: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        await test.sql(`UPDATE series SET streak_outcome = 1, last_outcome = 1`);
        await test.sql('UPDATE monitor SET deleted_at = NULL');
        await test.sql('UPDATE region_owner SET sites = 40');
        const shares = new FailingShares();
        let nowMs = NOON;
        for (const each of steps) {
          if (each.kind === 'fail') await fail(keys[each.monitor]!, each.region, each.isFailing, nowMs - each.ageMs);
          else if (each.kind === 'wait') nowMs += each.ms;
          else {
            const of = keys.slice(each.owner * MONITORS_OF_OWNER, (each.owner + 1) * MONITORS_OF_OWNER);
            if (each.kind === 'delete')
              await test.sql('UPDATE monitor SET deleted_at = $2 WHERE key = $1', [of[0], new Date(nowMs)]);
            else
              await test.sql(
                `UPDATE region_owner SET sites = $2 FROM monitor WHERE monitor.key = $1 AND region_owner.owner_id = monitor.owner_id`,
                [of[0], each.sites],
              );
            // So long is remembered what the failures of a monitor count.
            nowMs += MINUTE_MS;
          }
          const isExamined = await isFound(nowMs);
          expect(await isRemembered(shares, nowMs)).to.equal(isExamined);
          seen[isExamined ? 'examined' : 'calm']++;
        }
      }),
      { numRuns: 25 },
    );
    expect(seen.examined).to.be.greaterThan(5);
    expect(seen.calm).to.be.greaterThan(5);
  });

  it('decides that regions are examined also where the series cannot be read for silence', async () => {
    for (const key of keys) await fail(key, 'northeurope', true, NOON);
    const memory = new SweepMemory();
    const error = new Error('cannot be read');
    memory.pass.step = () => Promise.reject(error);
    expect(await sweepSilence(deps, memory).catch((thrown: unknown) => thrown)).to.equal(error);
    expect(await test.sql('SELECT region FROM suspect_period')).to.deep.equal([{ region: regionCode('northeurope') }]);
  });
});
