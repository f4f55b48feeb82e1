import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { ask, forked } from './forked.js';
import { cpuMs } from './process-usage.js';
import { databaseOf, loadMonitors, openWorkspace } from './load-monitors.js';

const MONITORS = 200;
const INCIDENTS = 10_000;
const PER_SECOND = 50;
const WARM_UP = 1_500;
const REQUESTS = 500;
const AIM = 5;

interface Called {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** The largest ratio to the empty route, where there is one. */
  aim?: number;
}

/**
 * Measures list and get in a workspace with 200 monitors and 10,000 incidents at 50 requests a second in total, compared
 * with an empty Koa route at the same rate in the same seconds.
 */
export async function benchRest(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  await loadMonitors(client, workspaceId, MONITORS, 'https://shop.example/');
  const { monitorId, incidentId } = await loadIncidents(client, workspaceId);
  const { port } = await ask<{ port: number }>(forked('empty-koa.js', defer));

  const token = await product.issuer.token({
    sub: 'user-1',
    expiresIn: 3_600,
    claims: { email: 'user-1@example.test', email_verified: true },
  });
  const headers = { authorization: `Bearer ${token}` };
  const of = (name: string, path: string): Called => ({
    name,
    url: `${product.baseUrl}/api/v1${path}`,
    headers,
    aim: AIM,
  });
  const called = [
    of('list of monitors, first list page', '/monitor'),
    of('one monitor', `/monitor/${monitorId}`),
    of('list of incidents, first list page', '/incident'),
    of('list of incidents, list page 150', '/incident?page=150&pageSize=50'),
    of('one incident', `/incident/${incidentId}`),
  ];
  const empty: Called = { name: 'empty Koa route', url: `http://127.0.0.1:${port}/`, headers: {} };
  const http = new Agent({ keepAlive: true });
  defer(() => http.destroy());
  const times = new Map([...called, empty].map((one) => [one, [] as number[]]));
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < WARM_UP + REQUESTS * called.length; index++) {
    const time = async (one: Called): Promise<void> => {
      const took = await request(one, http);
      if (index >= WARM_UP) times.get(one)!.push(took);
    };
    for (const [half, one] of [called[index % called.length]!, empty].entries()) {
      const waitMs = startedMs + ((index + half / 2) * 1_000) / PER_SECOND - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      running.push(time(one));
    }
  }
  await Promise.all(running);
  const figures = (one: Called, fraction: number): number => quantile(times.get(one)!, fraction);
  const cpuOf = async (encoding: string): Promise<number> => {
    const list = { ...called[0]!, headers: { ...headers, 'accept-encoding': encoding } };
    const from = cpuMs(product.controlPlane.pid);
    for (let index = 0; index < REQUESTS; index++) await request(list, http);
    return (cpuMs(product.controlPlane.pid) - from) / REQUESTS;
  };
  const cpu = { plain: await cpuOf('identity'), compressed: await cpuOf('gzip') };
  const compressedRow = benchRow({
    name: 'REST, list of monitors, compressed: CPU a request',
    value: cpu.compressed,
    unit: 'ms',
    yardstick: { name: 'the same, not compressed', value: cpu.plain },
  });
  return [
    compressedRow,
    ...called.flatMap((one) => [
      benchRow({
        name: `REST, ${one.name}: p99`,
        value: figures(one, 0.99),
        unit: 'ms',
        yardstick: { name: 'empty Koa route, p99', value: figures(empty, 0.99) },
        ...(one.aim === undefined
          ? {}
          : { aim: { text: `<= ${one.aim}x`, met: ({ ratio }: { ratio: number }) => ratio <= one.aim! } }),
      }),
      benchRow({
        name: '  p50',
        value: figures(one, 0.5),
        unit: 'ms',
        yardstick: { name: 'empty Koa route, p50', value: figures(empty, 0.5) },
      }),
    ]),
  ];
}

async function loadIncidents(
  client: pg.Client,
  workspaceId: string,
): Promise<{ monitorId: string; incidentId: string }> {
  await client.query(
    `WITH monitors AS (SELECT id, key, name, row_number() OVER (ORDER BY key) AS place FROM monitor WHERE workspace_id = $1)
     INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, status, is_closed, severity,
       regions, started, ended, failure_reason, context, created, last_modified)
     SELECT gen_random_uuid(), $1, key, id, name, 'Availability', 'Resolved', true, 'down', '{northeurope}', at,
       at + interval '5 minutes', 'The server answered 503.', '{"statusCode": 503}', at, at + interval '5 minutes'
     FROM generate_series(1, $2::integer) AS number, LATERAL (SELECT now() - number * interval '10 minutes' AS at) AS time
       JOIN monitors ON true WHERE place = number % $3::integer + 1`,
    [workspaceId, INCIDENTS, MONITORS],
  );
  await client.query(
    `INSERT INTO incident_event (workspace_id, incident_id, at, type)
     SELECT workspace_id, id, started, 'opened' FROM incident UNION ALL SELECT workspace_id, id, ended, 'resolved' FROM incident`,
  );
  await client.query('ANALYZE');
  const { rows } = await client.query<{ monitorId: string; incidentId: string }>(
    'SELECT monitor_id AS "monitorId", id AS "incidentId" FROM incident ORDER BY started LIMIT 1',
  );
  return rows[0]!;
}

function request({ url, headers }: Called, agent: Agent): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedMs);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} did not answer`)));
    sent.once('error', reject);
  });
}
