import { expect } from 'chai';
import type { ListPage } from '@watchpost/control-plane/platform/db/database';
import { readsBy, type Tx } from '@watchpost/control-plane/platform/db/tx';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { closeIncidentsOfMonitors } from '@watchpost/control-plane/capabilities/incidents/index';
import { listMonitors } from '@watchpost/control-plane/capabilities/monitors/index';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { deleteMonitor } from '@watchpost/control-plane/capabilities/monitors/delete-monitor';
import { getMonitor } from '@watchpost/control-plane/capabilities/monitors/get-monitor';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { describeMonitor } from '@watchpost/control-plane/capabilities/monitors/describe-monitor';
import type { MonitorFilter } from '@watchpost/control-plane/capabilities/monitors/monitor-filter';
import {
  type MonitorSort,
  type MonitorViewRow,
  monitorViewStore,
} from '@watchpost/control-plane/capabilities/monitors/monitor-view-store';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { resultsMonitorListener } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { CHECK_KIND_CODES, checkKindOfCode, checkKindsOf, type CheckKind } from '@watchpost/shared/check';
import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import type { Outcome } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { agentIn, BLIND, DOWN, resultOf, resultsDeps, UP } from '../results/seed.js';
import { monitorDeps, NOON, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';
import { databaseForSuite, startedForEach } from '../../support/suite.js';

const EXPIRED: Outcome = {
  kind: 'down',
  phase: 'tls',
  reason: 'certificate_invalid',
  message: 'The certificate of shop.example has expired: shop.example was valid until 2026-11-01 12:00 UTC.',
};

describe('a monitor with its results and incidents', () => {
  const test = databaseForSuite();
  let deps: TestMonitorDeps;
  const results = startedForEach(() => resultsDeps(test.database));
  let actor: Actor;

  before(async () => {
    // One owner: the first failures of many owners wait for the judgement of their region.
    actor = await seedActor(test.database);
  });
  beforeEach(async () => {
    deps = monitorDeps(test.database);
    deps.clock = results.clock;
    deps.listeners = [
      ...deps.listeners,
      async (tx, changes) => {
        const stopped = changes.filter(({ kind }) => kind === 'stopped' || kind === 'deleted');
        for (const { workspaceId, monitorKey } of stopped) {
          const monitors = { workspaceId, monitorKeys: [monitorKey] };
          await closeIncidentsOfMonitors({ clock: deps.clock }, tx, monitors, { ending: 'paused', author: 'system' });
        }
      },
      resultsMonitorListener({ clock: results.clock }),
    ];
  });

  async function create(body: object = {}): Promise<{ id: string; key: number }> {
    const input = schemas.create.parse({
      url: URL_OF_SHOP,
      checkInterval: 'PT1M',
      enabledRegions: ['eastus2'],
      ...body,
    });
    const { monitor } = await createMonitor(deps, actor, input);
    return { id: monitor.id, key: deps.changes.at(-1)!.monitorKey };
  }
  const read = async (id: string) => (await getMonitor(deps, actor, id)).monitor;
  const statuses = async (id: string) =>
    Object.fromEntries((await read(id)).regions.map(({ region, status }) => [region, status]));

  it('shows the latest check of any region and the state of each region', async () => {
    const { id, key } = await create();
    results.clock.set(NOON + 1_000);
    await ingestBatch(results, agentIn('northeurope'), [resultOf(key, NOON, UP)]);
    const monitor = await read(id);
    expect(monitor).to.deep.include({
      healthStatus: 'available',
      lastChecked: '2026-11-21T12:00:00.046Z',
      latestIncident: null,
    });
    expect(monitor.latestTestResult).to.deep.equal({
      responseTime: 42.5,
      statusCode: 200,
      wasAvailable: true,
      started: '2026-11-21T12:00:00.003Z',
      ended: '2026-11-21T12:00:00.046Z',
      failureReason: null,
      assertions: null,
    });
    expect(monitor.regions).to.deep.equal([
      { region: 'northeurope', status: 'available', lastChecked: '2026-11-21T12:00:00.046Z' },
      { region: 'eastus2', status: 'awaitingFirstChecks', lastChecked: null },
    ]);
  });

  it('shows a failure with its reason, then the incident, then its end', async () => {
    const { id, key } = await create({ enabledRegions: [] });
    const check = async (minute: number, outcome: Outcome) => {
      results.clock.set(NOON + minute * MINUTE_MS + 1_000);
      await ingestBatch(results, agentIn('northeurope'), [resultOf(key, NOON + minute * MINUTE_MS, outcome)]);
    };
    await check(0, DOWN);
    expect((await read(id)).latestTestResult).to.deep.include({
      wasAvailable: false,
      statusCode: null,
      failureReason: 'The server at 203.0.113.7:443 refused the connection.',
    });
    expect((await read(id)).latestIncident).to.equal(null);
    await check(1, DOWN);
    const down = await read(id);
    expect(down.healthStatus).to.equal('unavailable');
    expect(down.regions[0]!.status).to.equal('unavailable');
    expect(down.latestIncident).to.deep.include({ status: 'Ongoing', ended: null });
    expect((await listMonitors(deps, actor, { status: 'unavailable' }, { limit: 10, offset: 0 })).items).to.deep.equal([
      down,
    ]);
    await check(2, BLIND);
    expect((await read(id)).latestTestResult).to.deep.include({ wasAvailable: null });
    await check(3, UP);
    const up = await read(id);
    expect(up).to.deep.include({ healthStatus: 'available' });
    expect(up.latestIncident).to.deep.include({ id: down.latestIncident!.id, status: 'Resolved' });
    expect(up.latestIncident!.ended).to.not.equal(null);
    expect(up.latestTestResult).to.deep.include({ wasAvailable: true, failureReason: null });
  });

  it('never shows a silent region as healthy', async () => {
    const { id, key } = await create();
    results.clock.set(NOON + 1_000);
    for (const region of ['northeurope', 'eastus2'] as const)
      await ingestBatch(results, agentIn(region), [resultOf(key, NOON)]);
    expect(await statuses(id)).to.deep.equal({ northeurope: 'available', eastus2: 'available' });
    results.clock.set(NOON + 10 * MINUTE_MS);
    expect(await statuses(id)).to.deep.equal({ northeurope: 'stale', eastus2: 'stale' });
    // Nobody has swept for silence, and may not for long: the monitor is no healthier for it.
    expect((await read(id)).healthStatus).to.equal(null);
  });

  it('follows the availability checks where there are any: a bad certificate makes no region unavailable', async () => {
    actor = await seedActor(test.database, { plan: 'Enterprise' });
    const { id, key } = await create({
      monitorTypes: ['HttpAvailability', 'SslCertificate', 'Dns'],
      enabledRegions: [],
      numberOfChecksBeforeAlert: 1,
    });
    const check = async (minute: number, outcome: Outcome, kind: CheckKind) => {
      results.clock.set(NOON + minute * MINUTE_MS + 1_000);
      await ingestBatch(results, agentIn('northeurope'), [resultOf(key, NOON + minute * MINUTE_MS, outcome, kind)]);
    };
    await check(0, UP, 'http');
    await check(0, UP, 'dns');
    expect(await statuses(id)).to.deep.equal({ northeurope: 'awaitingFirstChecks' });
    await check(0, EXPIRED, 'ssl');
    await check(1, EXPIRED, 'ssl');
    const monitor = await read(id);
    expect(monitor.latestTestResult).to.deep.include({ wasAvailable: true, failureReason: null });
    expect(monitor.regions[0]).to.deep.include({ status: 'available', lastChecked: '2026-11-21T12:01:00.046Z' });
  });

  it('has each of its kinds watched for silence, independent of the others', async () => {
    actor = await seedActor(test.database, { plan: 'Enterprise' });
    const monitors = [
      { monitorTypes: ['Latency', 'SslCertificate', 'Dns'], kinds: [1, 2, 3] },
      ...MONITOR_TYPES.filter((type) => factsOf(type).isAlone && factsOf(type).kind !== null).map((type) => ({
        monitorTypes: [type],
        url: factsOf(type).url.example!,
        kinds: checkKindsOf([type]).map((kind): number => CHECK_KIND_CODES[kind]),
      })),
    ];
    for (const { kinds, ...body } of monitors) {
      const { id, key } = await create({ ...body, enabledRegions: ['eastus2'] });
      const rows = await test.sql<{ kind: number; region: number }>(
        'SELECT kind, region FROM series WHERE monitor_key = $1',
        [key],
      );
      const regions = [...new Set(rows.map(({ region }) => region))];
      expect(regions).to.have.length(2);
      expect(rows).to.have.deep.members(regions.flatMap((region) => kinds.map((kind) => ({ kind, region }))));
      results.clock.set(NOON + 1_000);
      const fresh = kinds.map((kind) => resultOf(key, NOON, UP, checkKindOfCode(kind)));
      for (const region of ['northeurope', 'eastus2'] as const) await ingestBatch(results, agentIn(region), fresh);
      expect(await statuses(id)).to.deep.equal({ northeurope: 'available', eastus2: 'available' });
      // All but one continue; that one is enough to make the whole unknown.
      for (let minute = 1; minute <= 4; minute++) {
        results.clock.set(NOON + minute * MINUTE_MS + 1_000);
        const others = kinds
          .slice(0, -1)
          .map((kind) => resultOf(key, NOON + minute * MINUTE_MS, UP, checkKindOfCode(kind)));
        if (others.length > 0) await ingestBatch(results, agentIn('northeurope'), others);
      }
      await sweepSilence(results);
      expect((await statuses(id)).northeurope).to.equal('stale');
      results.clock.set(NOON);
    }
  });

  it('closes its incident when it is paused, and is stale until it is checked again once it is enabled', async () => {
    const { id, key } = await create({ enabledRegions: [], numberOfChecksBeforeAlert: 1 });
    results.clock.set(NOON + 1_000);
    await ingestBatch(results, agentIn('northeurope'), [resultOf(key, NOON, DOWN)]);
    expect((await read(id)).latestIncident!.status).to.equal('Ongoing');
    await updateMonitor(deps, actor, id, { monitoringStatus: 'paused' });
    const paused = await read(id);
    expect(paused.latestIncident!.status).to.equal('Resolved');
    expect(paused).to.deep.include({ nextCheck: null, monitoringStatus: 'paused' });
    expect(await statuses(id)).to.deep.equal({ northeurope: 'stale' });
    await updateMonitor(deps, actor, id, { monitoringStatus: 'enabled' });
    expect(await statuses(id)).to.deep.equal({ northeurope: 'stale' });
    results.clock.set(NOON + MINUTE_MS + 1_000);
    await ingestBatch(results, agentIn('northeurope'), [resultOf(key, NOON + MINUTE_MS, UP)]);
    expect(await statuses(id)).to.deep.equal({ northeurope: 'available' });
    await deleteMonitor(deps, actor, id);
  });

  it('is awaited only where it never had a result: neither inconclusive results nor a first failure are none', async () => {
    const inconclusive = await create({ enabledRegions: [] });
    const failing = await create({ enabledRegions: [] });
    const silent = await create({ enabledRegions: [] });
    expect(await statuses(silent.id)).to.deep.equal({ northeurope: 'awaitingFirstChecks' });
    results.clock.set(NOON + 1_000);
    await ingestBatch(results, agentIn('northeurope'), [
      resultOf(inconclusive.key, NOON, BLIND),
      resultOf(failing.key, NOON, DOWN),
      resultOf(silent.key, NOON, UP),
    ]);
    expect(await statuses(inconclusive.id)).to.deep.equal({ northeurope: 'stale' });
    expect(await statuses(failing.id)).to.deep.equal({ northeurope: 'unavailable' });
    results.clock.set(NOON + 10 * MINUTE_MS);
    await sweepSilence(results);
    await updateMonitor(deps, actor, silent.id, { http: { headers: { 'x-edit': '1' } } });
    expect(await statuses(silent.id), 'an edit makes the silence no better').to.deep.equal({ northeurope: 'stale' });
    results.clock.set(NOON);
  });

  /** Monitors of somebody else, once: so many that reading all of them would be dearer than what is asked for. */
  let others: Promise<void> | undefined;
  const fillOthers = () =>
    (others ??= seedActor(test.database).then(({ workspace }) =>
      test.database.transaction((tx) => fill(tx, workspace.workspaceId, 20_000)),
    ));

  /** Reads a list page, with the plan of each statement. */
  async function explain(
    workspaceId: string,
    filter: MonitorFilter,
    sort: MonitorSort,
    page = { limit: 50, offset: 0 },
  ): Promise<ListPage<MonitorViewRow> & { plans: string[] }> {
    const plans: string[] = [];
    const found = await test.database.read(async (tx) => {
      const explaining: Tx = {
        ...tx,
        ...readsBy(async <Row extends object>(sql: string, params?: readonly unknown[]) => {
          const lines = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${sql}`, params);
          plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
          return tx.query<Row>(sql, params);
        }),
      };
      return monitorViewStore.page(workspaceId, explaining, filter, sort, new Date(NOON), page);
    });
    return { ...found, plans };
  }

  it('is read a page at a time by index alone, with 1,000 monitors of 4 regions and 3 incidents each', async function () {
    const { workspaceId } = (await seedActor(test.database)).workspace;
    await test.database.transaction((tx) => fill(tx, workspaceId, 1_000));
    await fillOthers();
    await test.sql('ANALYZE');
    const { items: rows, total, plans } = await explain(workspaceId, {}, '-created', { limit: 50, offset: 900 });
    expect([rows.length, total]).to.deep.equal([50, 1_000]);
    expect(rows[0]!.series).to.have.length(4);
    expect(rows[0]!.latestIncident).to.not.equal(null);
    const [page] = plans;
    for (const table of ['monitor', 'series', 'incident'])
      expect(page).to.not.match(new RegExp(`Seq Scan on ${table}\\b`), page);
    expect(page).to.match(/series_pkey .*rows=4\b.* loops=50\)/);
    expect(page).to.match(/incident_monitor_idx .*rows=1\b.* loops=50\)/);
  });

  it('is found among 5,000 by any filter and in any order, by one statement and by index alone', async function () {
    const { workspaceId } = (await seedActor(test.database)).workspace;
    await fillOthers();
    await test.database.transaction(async (tx) => {
      await fill(tx, workspaceId, 5_000);
      await tx.query(
        `UPDATE monitor SET tags = CASE WHEN url LIKE '%77' THEN '{env:prod,team:web}' ELSE '{env:prod}' END::text[],
           monitoring_status = CASE WHEN url LIKE '%00' THEN 'paused' ELSE 'enabled' END`,
      );
      await tx.query(`UPDATE series SET fresh_until = $1::timestamptz + interval '1 min'`, [new Date(NOON)]);
      await tx.query(
        `INSERT INTO monitor_state (monitor_key, workspace_id, health_status, verdict, verdict_since)
         SELECT key, workspace_id, CASE WHEN url LIKE '%11' THEN 'unavailable' WHEN url LIKE '%22' THEN 'degraded'
           WHEN url LIKE '%33' OR url LIKE '%00' THEN NULL ELSE 'available' END, 'available', $1 FROM monitor
         ON CONFLICT DO NOTHING`,
        [new Date(NOON)],
      );
      // Stale, whatever was stored last.
      await tx.query(`UPDATE series SET fresh_until = $1 FROM monitor WHERE key = monitor_key AND url LIKE '%44'`, [
        new Date(NOON),
      ]);
    });
    await test.database.read((tx) => tx.query('VACUUM ANALYZE'));
    const cases: [MonitorFilter, MonitorSort, number][] = [
      [{}, 'health', 5_000],
      [{}, 'name', 5_000],
      [{}, '-created', 5_000],
      [{}, 'certificate', 5_000],
      [{}, 'lastChecked', 5_000],
      [{}, '-p95', 5_000],
      [{ tags: ['team:web'] }, 'health', 50],
      [{ tags: ['env:prod', 'team:web'] }, '-created', 50],
      [{ healthStatus: 'unavailable' }, 'name', 50],
      [{ healthStatus: 'unknown' }, 'health', 150],
      [{ search: 'SHOP 49' }, 'name', 111],
      [{ monitorType: 'HttpAvailability', monitoringStatus: 'paused' }, '-created', 50],
    ];
    for (const [filter, sort, found] of cases) {
      const name = `${JSON.stringify(filter)} by ${sort}`;
      const { total, plans } = await explain(workspaceId, filter, sort);
      expect(total, name).to.equal(found);
      expect(plans, name).to.have.length(1);
      for (const table of ['series', 'incident'])
        expect(plans[0], name).to.not.match(new RegExp(`Seq Scan on ${table}\\b`), plans[0]);
      if (filter.tags) expect(plans[0], name).to.include('monitor_tag_idx');
    }
    const ranks: number[] = [];
    const seen = new Set<string>();
    for (let offset = 0; offset < 5_000; offset += 1_000) {
      const page = await test.database.read((tx) =>
        monitorViewStore.page(workspaceId, tx, {}, 'health', new Date(NOON), { limit: 1_000, offset }),
      );
      for (const row of page.items) {
        const { monitoringStatus, healthStatus } = describeMonitor(row, NOON, () => null);
        seen.add(row.id);
        ranks.push(
          monitoringStatus === 'paused'
            ? 4
            : { unavailable: 0, degraded: 1, unknown: 2, available: 3 }[healthStatus ?? 'unknown'],
        );
      }
    }
    expect(seen.size, 'every monitor is on one page').to.equal(5_000);
    expect(ranks).to.deep.equal(ranks.toSorted((a, b) => a - b));
    expect(ranks.filter((rank) => rank === 2)).to.have.length(100);
  });
});

async function fill(tx: Tx, workspaceId: string, monitors: number): Promise<void> {
  await tx.query(
    `INSERT INTO monitor (id, workspace_id, name, url, monitor_types, check_interval_ms, check_timeout_ms, checks_before_alert,
       checks_before_recovery, enabled_regions, reporting, created, last_modified, checks_changed)
     SELECT gen_random_uuid(), $1, 'Shop ' || n, 'https://shop.example/' || n, '{HttpAvailability}', 60000, 30000, 2, 1,
       '{eastus2,westus3,japaneast}', '{}', $2::timestamptz + n * interval '1 s', $2, $2
     FROM generate_series(1, $3) AS n`,
    [workspaceId, new Date(NOON), monitors],
  );
  await tx.query(
    `INSERT INTO series (monitor_key, counts_from, last_scheduled_at, last_started_at, conclusive_at, fresh_until, kind, region,
       last_outcome, alert_after, recover_after)
     SELECT key, $2, $2, $2, $2, $2, 1, region, 1, 2, 1 FROM monitor, generate_series(1, 4) AS region WHERE workspace_id = $1
     ON CONFLICT DO NOTHING`,
    [workspaceId, new Date(NOON)],
  );
  await tx.query(
    `INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, severity, failure_reason,
       is_closed, started, created, last_modified)
     SELECT gen_random_uuid(), $1, key, id, name, 'Availability', 'down', 'x', true, $2::timestamptz + n * interval '1 s', $2, $2
     FROM monitor, generate_series(1, 3) AS n WHERE workspace_id = $1`,
    [workspaceId, new Date(NOON)],
  );
}
