import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import {
  agentIn,
  BROKEN,
  DOWN,
  failedExaminations,
  NOON,
  noticesOf,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSeed,
  type MonitorSettings,
} from '../results/seed.js';

const HOME: Region = 'northeurope';
const AWAY: Region = 'eastus2';
describe('Failures of unrelated sites', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));

  /** Monitors of one owner, each of a site of its own unless it is named. */
  const seed = async (count: number, settings: MonitorSettings = {}, site?: string): Promise<MonitorSeed[]> => {
    const monitors = await seedMonitors(test.database, (await seedWorkspace(test.database)).id, count, settings);
    await test.sql(`UPDATE monitor SET site = coalesce($2, 'site-' || key || '.test') WHERE key = ANY ($1)`, [
      monitors.map(({ key }) => key),
      site ?? null,
    ]);
    return monitors;
  };
  const seedOwners = async (owners: number, settings: MonitorSettings = {}, site?: string): Promise<MonitorSeed[]> => {
    const monitors: MonitorSeed[] = [];
    for (let index = 0; index < owners; index++) monitors.push(...(await seed(1, settings, site)));
    return monitors;
  };
  const networkOf = (key: number) => `203.0.${key % 256}.7:443`;
  /** One check of each, a second after the other. */
  const observe = async (
    monitors: readonly MonitorSeed[],
    minute: number,
    outcome: Outcome,
    { region = HOME, ...more }: { region?: Region; answer?: 'verified'; address?: string | null } = {},
  ) => {
    const startMs = NOON + minute * MINUTE_MS + (region === HOME ? 20 : 40);
    const results = monitors.map(({ key }, index): CheckResult => ({
      ...resultOf(key, startMs + (index % 50) * SECOND_MS, outcome),
      address: networkOf(key),
      ...more,
      ...(more.address === null ? { evidence: null } : {}),
    }));
    deps.clock.set(startMs + 51 * SECOND_MS);
    await ingestBatch(deps, agentIn(region), results);
    await sweepSilence(deps);
  };
  const incidentsOf = async (monitors: readonly MonitorSeed[]) =>
    (await test.sql('SELECT id FROM incident WHERE monitor_key = ANY ($1)', [monitors.map(({ key }) => key)])).length;

  it('of three owners make no region suspect, however many they are: the outages of others open incidents', async () => {
    const dead = [...(await seed(200)), ...(await seed(200)), ...(await seed(200))];
    const [victim] = await seed(1, { checksBeforeAlert: 1 });
    await observe([...dead, victim!], 0, UP);
    for (const minute of [1, 2]) await observe(dead, minute, DOWN);
    await observe([victim!], 2.5, BROKEN);
    expect(await incidentsOf([victim!])).to.equal(1);
    expect(await incidentsOf(dead)).to.equal(600);
    expect(noticesOf(deps)).to.deep.equal([]);
  });

  it('of one owner that are up in another region do not make the region suspect: the quorum decides', async () => {
    const monitors = await seed(12, { regions: [AWAY] });
    await test.sql(`UPDATE workspace SET incident_quorum = 'all'`);
    for (const minute of [0, 1, 2]) {
      await observe(monitors, minute, minute === 0 ? UP : DOWN, { region: AWAY });
      await observe(monitors, minute, UP);
    }
    expect(noticesOf(deps)).to.deep.equal([]);
    expect(await incidentsOf(monitors)).to.equal(0);
    expect(await test.sql('SELECT DISTINCT verdict FROM monitor_state')).to.deep.equal([{ verdict: 'partial' }]);
  });

  it('of one data centre are its outage, for all owners of sites there, and whether up elsewhere or not', async () => {
    const monitors = await seedOwners(12, { regions: [AWAY] });
    for (const minute of [0, 1, 2]) {
      await observe(monitors, minute, UP, { region: AWAY });
      await observe(monitors, minute, minute === 0 ? UP : DOWN, { address: '198.51.100.9:443' });
    }
    expect(noticesOf(deps)).to.deep.equal([]);
  });

  it('of one domain are its outage, for all owners of monitors of it', async () => {
    const monitors = await seedOwners(12, {}, 'shop.test');
    for (const minute of [0, 1, 2]) await observe(monitors, minute, minute === 0 ? UP : DOWN);
    expect(noticesOf(deps)).to.deep.equal([]);
    expect(await incidentsOf(monitors)).to.equal(12);
  });

  it('whose names do not resolve have no network in common', async () => {
    const monitors = await seedOwners(12);
    for (const minute of [0, 1, 2]) await observe(monitors, minute, minute === 0 ? UP : DOWN, { address: null });
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
    expect(await incidentsOf(monitors)).to.equal(0);
  });

  it('are recognised as a lost network although one owner has ten times as many healthy sites', async () => {
    const monitors = await seedOwners(12);
    const healthy = await seed(120);
    for (const minute of [0, 1]) {
      await observe(healthy, minute, UP);
      await observe(monitors, minute, minute === 0 ? UP : DOWN);
    }
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
  });

  it('that the sites themselves report over verified TLS show that the network is there', async () => {
    const monitors = await seedOwners(12);
    for (const minute of [0, 1, 2])
      await observe(monitors, minute, minute === 0 ? UP : BROKEN, minute === 0 ? {} : { answer: 'verified' });
    expect(noticesOf(deps)).to.deep.equal([]);
    expect(await incidentsOf(monitors)).to.equal(12);
  });

  it('in a suspect region do not count, unless the site itself reported them over verified TLS', async () => {
    const others = await seedOwners(12);
    const [proven, early, plain] = (await seedOwners(3, { checksBeforeAlert: 1 })) as [
      MonitorSeed,
      MonitorSeed,
      MonitorSeed,
    ];
    await observe([...others, proven, early, plain], 0, UP);
    // Stored before the region can be known to be suspect.
    await observe([...others, early], 1, BROKEN, { answer: 'verified' });
    await observe(others, 2, UP);
    await observe(others, 3, DOWN);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
    await observe([proven, early], 3.5, BROKEN, { answer: 'verified' });
    await observe([plain], 3.5, BROKEN);
    expect([await incidentsOf([early]), await incidentsOf([proven]), await incidentsOf([plain])]).to.deep.equal([
      1, 1, 0,
    ]);
    expect(
      await test.sql(
        `SELECT outcome FROM check_result WHERE monitor_key = ANY ($1) AND scheduled_at >= $2 ORDER BY monitor_key`,
        [[proven.key, plain.key], new Date(NOON + 3 * MINUTE_MS)],
      ),
    ).to.deep.equal([{ outcome: 2 }, { outcome: 3 }]);
  });

  it('that the site itself reported stay when the failures beside them are retracted', async () => {
    const others = await seedOwners(12);
    const [proven] = (await seedOwners(1, { checksBeforeAlert: 1 })) as [MonitorSeed];
    await observe([...others, proven], 0, UP);
    const startMs = NOON + MINUTE_MS;
    deps.clock.set(startMs + 20 * SECOND_MS);
    // Of one moment, and before the first look at it.
    await ingestBatch(deps, agentIn(HOME), [
      ...others.map(({ key }) => ({ ...resultOf(key, startMs, DOWN), address: networkOf(key) })),
      { ...resultOf(proven.key, startMs + SECOND_MS, BROKEN), answer: 'verified' },
    ]);
    await sweepSilence(deps);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
    expect(await incidentsOf([proven])).to.equal(1);
    await observe([proven], 2, BROKEN, { answer: 'verified' });
    const outcomes = `SELECT outcome FROM check_result WHERE monitor_key = $1 AND scheduled_at > $2 ORDER BY scheduled_at`;
    expect(await test.sql(outcomes, [proven.key, new Date(startMs - 1)])).to.deep.equal([
      { outcome: 2 },
      { outcome: 2 },
    ]);
    expect(await test.sql(outcomes, [others[0]!.key, new Date(startMs - 1)])).to.deep.equal([{ outcome: 3 }]);
    expect(await test.sql('SELECT is_closed FROM incident')).to.deep.equal([{ is_closed: false }]);
  });

  it('that the site itself reported open their incident at once, even the first one of a shared region', async () => {
    await seedOwners(12);
    const [proven, plain] = (await seedOwners(2, { checksBeforeAlert: 1 })) as [MonitorSeed, MonitorSeed];
    await observe([proven, plain], 0, UP);
    await observe([proven], 1, BROKEN, { answer: 'verified' });
    await observe([plain], 1, BROKEN);
    expect([await incidentsOf([proven]), await incidentsOf([plain])]).to.deep.equal([1, 0]);
  });

  it('that cannot be judged do not stop the sweep for silence', async () => {
    const monitors = await seedOwners(5);
    await observe(monitors, 0, UP);
    await observe(monitors, 1, DOWN);
    await test.sql('ALTER VIEW suspect_subject RENAME TO suspect_subject_away');
    deps.clock.set(NOON + 10 * MINUTE_MS);
    expect(await sweepSilence(deps)).to.include({ stale: 5 });
    expect(failedExaminations(deps)).to.equal(1);
    expect(await deps.registry.metrics()).to.include('watchpost_region_judgement_failures_total 1');
  });

  it('are judged in regions with enough owners, which are counted exactly after any change', async () => {
    const workspaces = await Promise.all([1, 2, 3].map(() => seedWorkspace(test.database)));
    const users = workspaces.map(({ userId }) => userId);
    const change = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), of: fc.nat(2), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        kind: fc.constantFrom('regions', 'pause', 'types', 'site', 'interval', 'bury', 'delete', 'transfer'),
        of: fc.nat(2),
      }),
    );
    const apply = async ({ kind, of, ...more }: { kind: string; of: number; count?: number }) => {
      const workspaceId = workspaces[of]!.id;
      const set = (what: string) => test.sql(`UPDATE monitor SET ${what} WHERE workspace_id = $1`, [workspaceId]);
      switch (kind) {
        case 'add':
          await seedMonitors(test.database, workspaceId, more.count!, { regions: [AWAY, 'westus3'] });
          break;
        case 'regions':
          await set(
            `enabled_regions = CASE cardinality(enabled_regions) WHEN 0 THEN '{eastus2}' ELSE '{}' END::text[]`,
          );
          break;
        case 'pause':
          await set(`monitoring_status = CASE monitoring_status WHEN 'enabled' THEN 'paused' ELSE 'enabled' END`);
          break;
        case 'types':
          await set(
            `monitor_types = CASE WHEN 'Dns' = ANY (monitor_types) THEN '{HttpAvailability}' ELSE '{Dns}' END::text[]`,
          );
          break;
        case 'site':
          await set(`site = 'site-' || key % 3 || '.test'`);
          break;
        case 'interval':
          await set('check_interval_ms = CASE check_interval_ms WHEN 60000 THEN 3600000 ELSE 60000 END');
          break;
        case 'bury':
          await set('deleted_at = now()');
          break;
        case 'delete':
          await test.sql('DELETE FROM monitor WHERE workspace_id = $1', [workspaceId]);
          break;
        case 'transfer':
          await test.sql('UPDATE workspace SET owner_id = $2 WHERE id = $1', [workspaceId, users[(of + 1) % 3]]);
      }
    };
    await fc.assert(
      // Changes of a group are made at the same time.
      fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (groups) => {
        for (const group of groups) await Promise.all(group.map(apply));
        const counted = await test.sql('SELECT * FROM region_owner ORDER BY owner_id, region');
        const exact = await test.sql<{ owner_id: string; region: string; sites: number }>(
          `SELECT workspace.owner_id, region, count(*)::integer AS monitors,
             count(DISTINCT site) FILTER (WHERE check_interval_ms <= 600000)::integer AS sites
           FROM monitor JOIN workspace ON workspace.id = workspace_id, unnest(enabled_regions || '{northeurope}') AS region
           WHERE deleted_at IS NULL AND monitoring_status = 'enabled' AND 'HttpAvailability' = ANY (monitor_types)
           GROUP BY 1, 2 ORDER BY 1, 2`,
        );
        expect(counted).to.deep.equal(exact);
        const sites = await test.sql(
          'SELECT owner_id, region, count(*)::integer AS sites FROM region_site GROUP BY 1, 2 ORDER BY 1, 2',
        );
        expect(sites).to.deep.equal(
          exact.map(({ owner_id, region, sites }) => ({ owner_id, region, sites })).filter((row) => row.sites !== 0),
        );
      }),
      { numRuns: 25 },
    );
  });
});
