import type pg from 'pg';
import { REGIONS, type Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { create } from '../support/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { ask, forked } from './forked.js';
import { databaseOf, loadMonitors, openWorkspace, storesOf } from './load-monitors.js';
import type { TargetPlaces } from './probe-target.js';
import { loadHours } from './report-load.js';

const MONITORS = 1_000;
const INCIDENTS = 200;
/** Those that have incidents, and a year of rollups. */
const TROUBLED = 20;
const AUDIT_ENTRIES = 10_000;
const MARKS = 50;
const EXTRA_REGIONS: readonly Region[] = ['eastus2', 'japaneast'];
const WARM_UP = 20;
const CALLS = { without: 200, with: 60 };
const AIM_MS = { without: 300, with: 3_000 };

interface Answer {
  recheck: readonly { outcome: string }[];
  similar: readonly unknown[];
  siblings: readonly unknown[];
  missing: readonly unknown[];
}

/**
 * Measures the diagnosis of incidents in a workspace with 1,000 monitors of one site, 200 incidents and a year of history, one
 * request at a time: without a recheck, and with one from three regions, whose agents are processes of this machine. Each answer
 * is examined: it has its rechecks and its history, and nothing is missing.
 */
export async function benchDiagnose(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  const { http } = await ask<TargetPlaces>(forked('probe-target.js', defer));
  await loadMonitors(client, workspaceId, MONITORS, `${http}{n}`, EXTRA_REGIONS);
  // One check a second, so that the answers are measured and not the checks.
  await client.query('UPDATE monitor SET check_interval_ms = 3600000');
  const { rows } = await client.query<{ key: string }>('SELECT key FROM monitor ORDER BY key LIMIT $1', [TROUBLED]);
  const keys = rows.map(({ key }) => Number(key));
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await loadHours(await storesOf(product, defer), keys, hourMs - 365 * DAY_MS, hourMs - DAY_MS);
  const ids = await loadIncidents(client, workspaceId, keys);
  await loadChanges(product, client, workspaceId);
  await client.query('VACUUM ANALYZE');
  for (const { name } of REGIONS.filter(
    ({ name: region }) => region === 'northeurope' || EXTRA_REGIONS.includes(region),
  ))
    product.startAgent({ name, token: (await product.createAgent(name, name)).token });

  const path = (index: number, recheck: boolean) =>
    `/api/v1/incident/${ids[index % ids.length]}/diagnosis?recheck=${recheck}`;
  await eventually(
    'three regions check',
    async () => (await product.api<Answer>('GET', path(0, true))).body.recheck?.length === 3 || undefined,
    60_000,
    500,
  );
  const measure = async (calls: number, recheck: boolean): Promise<number[]> => {
    const times: number[] = [];
    for (let index = 0; index < WARM_UP + calls; index++) {
      const startedMs = performance.now();
      const { status, body } = await product.api<Answer>('GET', path(index, recheck));
      const tookMs = performance.now() - startedMs;
      const isWhole =
        body.recheck?.length === (recheck ? 3 : 0) &&
        body.missing.length === 0 &&
        body.similar.length > 0 &&
        body.siblings.length > 0;
      if (status !== 200 || !isWhole)
        throw new Error(`a diagnosis was answered with ${status}: ${JSON.stringify(body)}`);
      if (index >= WARM_UP) times.push(tookMs);
    }
    return times;
  };
  const times = { without: await measure(CALLS.without, false), with: await measure(CALLS.with, true) };
  return (['without', 'with'] as const).flatMap((kind) => [
    benchRow({
      name: `diagnosis ${kind === 'with' ? 'with a recheck of 3 regions' : `in ${MONITORS.toLocaleString('en')} monitors, ${INCIDENTS} incidents, a year`}: p95`,
      value: quantile(times[kind], 0.95),
      unit: 'ms',
      aim: { text: `<= ${AIM_MS[kind]} ms`, met: ({ value }) => value <= AIM_MS[kind] },
    }),
    benchRow({ name: '  p50', value: quantile(times[kind], 0.5), unit: 'ms' }),
  ]);
}

/** Incidents over a year, of which the newest of each monitor is open. @returns the ids of the open ones */
async function loadIncidents(client: pg.Client, workspaceId: string, keys: readonly number[]): Promise<string[]> {
  const failure = {
    ...{ region: 'northeurope', scheduledAt: new Date().toISOString(), phase: 'content', reason: 'unexpected_status' },
    ...{ message: 'The server answered with status 503 instead of 200-399.', statusCode: 503, address: '127.0.0.1:80' },
    ...{ responseTime: 12, timings: null, evidence: { bodyStart: 'Service Unavailable '.repeat(100) } },
  };
  const { rows } = await client.query<{ id: string; isClosed: boolean }>(
    `INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, status, is_closed, severity,
       regions, started, ended, failure_reason, context, created, last_modified)
     SELECT gen_random_uuid(), $1, key, id, name, 'Availability', CASE WHEN age = 0 THEN 'Ongoing' ELSE 'Resolved' END, age > 0,
       'down', '{northeurope,eastus2}', at, CASE WHEN age > 0 THEN at + interval '20 minutes' END, 'The server answered with status 503.', $3, at, at
     FROM unnest($2::bigint[]) AS wanted JOIN monitor ON key = wanted, generate_series(0, $4::integer - 1) AS age,
       LATERAL (SELECT now() - age * interval '36 days' AS at) AS moment
     RETURNING id, is_closed AS "isClosed"`,
    [workspaceId, keys, JSON.stringify({ failures: [failure] }), INCIDENTS / TROUBLED],
  );
  return rows.filter(({ isClosed }) => !isClosed).map(({ id }) => id);
}

/** Stores what people and deploys changed in the last month. */
async function loadChanges({ api }: Product, client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(
    `INSERT INTO audit_entry (id, workspace_id, at, action, actor_type, target_id, changes)
     SELECT gen_random_uuid(), $1, now() - number * interval '4 minutes', 'monitor.updated', 'user', monitor.id, '{"name": {"from": "a", "to": "b"}}'
     FROM generate_series(1, $2::integer) AS number JOIN (SELECT id, row_number() OVER () AS place FROM monitor) AS monitor
       ON place = 1 + number % $3`,
    [workspaceId, AUDIT_ENTRIES, MONITORS],
  );
  for (let number = 0; number < MARKS; number++)
    await create(api, '/api/v1/marks', { text: `Deploy ${number}`, at: new Date(Date.now() - number * HOUR_MS) });
}
