import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { systemClock } from '@watchpost/shared/clock';
import { regionCode, type Region } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { Partitions } from '@watchpost/control-plane/capabilities/results/index';
import { rollUpResults } from '@watchpost/control-plane/capabilities/figures/index';
import { startProduct, type Product } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { databaseOf, loadMonitors, openWorkspace, storesOf } from './load-monitors.js';

const MONITORS = 100;
/** Monitors with all of their rows. The others have only rollups and the rows of open hours. */
const MONITORS_WITH_ROWS = 2;
const REGIONS: readonly Region[] = ['northeurope', 'eastus2', 'japaneast'];
const DAYS = 30;
const PER_SECOND = 25;
const WARM_UP = 100;
const CALLS = 500;
const AIM_MS = 50;

interface Uptime {
  monitorId: string;
  periodStart: string;
  periodEnd: string;
  healthyChecks: number;
  unhealthyChecks: number;
  uptimePercentage: number;
}

/**
 * Measures `get_monitor_uptime` over 30 days of one-minute checks in 3 regions, over the wire, in a workspace with 100
 * monitors, at 25 calls a second. To save the loading of 13 million rows, only two monitors have all of their rows, which
 * the product rolls up. The other 98 have copies of their rollups and open rows, which is all that the call reads. The
 * answers for the two are compared with a count of their rows.
 */
export async function benchMcp(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info', ROLES: 'api,gateway' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  await loadMonitors(client, workspaceId, MONITORS, 'https://shop.example/');
  await client.query(
    "UPDATE monitor SET created = now() - interval '40 days', checks_changed = now() - interval '40 days', enabled_regions = '{eastus2,japaneast}'",
  );
  await loadResults(product, client, defer);
  await client.query('VACUUM ANALYZE');
  const { rows: monitors } = await client.query<{ id: string; key: number }>(
    'SELECT id, key FROM monitor ORDER BY key',
  );

  const call = await caller(product, workspaceId, defer);
  const times = { uptime: [] as number[], ping: [] as number[] };
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < WARM_UP + CALLS; index++) {
    const { id } = monitors[index % MONITORS]!;
    for (const [half, name] of (['uptime', 'ping'] as const).entries()) {
      const waitMs = startedMs + ((index + half / 2) * 1_000) / PER_SECOND - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      running.push(
        call(name === 'ping' ? null : id).then(({ tookMs }) => {
          if (index >= WARM_UP) times[name].push(tookMs);
        }),
      );
    }
  }
  await Promise.all(running);
  for (const { id, key } of monitors.slice(0, MONITORS_WITH_ROWS)) await holdAgainstRows(client, key, await call(id));
  const figure = (fraction: number) => ({
    value: quantile(times.uptime, fraction),
    unit: 'ms',
    yardstick: { name: `MCP ping, p${fraction * 100}`, value: quantile(times.ping, fraction) },
  });
  return [
    benchRow({
      name: `MCP get_monitor_uptime, 30 days, 3 regions, ${MONITORS} monitors: p99`,
      ...figure(0.99),
      aim: { text: `<= ${AIM_MS} ms`, met: ({ value }) => value <= AIM_MS },
    }),
    benchRow({ name: '  p50', ...figure(0.5) }),
  ];
}

async function loadResults(product: Product, client: pg.Client, defer: Defer): Promise<void> {
  const nowMs = Date.now();
  const fromMs = Math.floor((nowMs - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  const openFromMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const db = await storesOf(product, defer);
  const partitions = new Partitions({ db, clock: systemClock, retentionDays: 35 });
  await partitions.ensureFor(Array.from({ length: DAYS + 1 }, (_, day) => fromMs + day * DAY_MS));
  const { rows } = await client.query<{ key: string }>('SELECT key FROM monitor ORDER BY key');
  const keys = rows.map(({ key }) => Number(key));
  const withRows = keys.slice(0, MONITORS_WITH_ROWS);
  await client.query(
    `INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us, transfer_us,
       agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome)
     SELECT key, minute, 40000 + hash % 20000, 1500, 9000, 20000, 11000, 1000, 7, 2, 150, 200, $4::smallint, region,
       CASE WHEN hash % 1000 = 0 THEN 2 WHEN hash % 1000 = 1 THEN 3 ELSE 1 END
     FROM generate_series($2::timestamptz, $3, '1 minute') AS minute, unnest($1::bigint[]) AS key, unnest($5::smallint[]) AS region,
       LATERAL (SELECT abs(hashint8(extract(epoch FROM minute)::bigint + key * 7 + region)) AS hash) AS random`,
    [withRows, new Date(fromMs), new Date(nowMs), CHECK_KIND_CODES.http, REGIONS.map(regionCode)],
  );
  await client.query(
    `INSERT INTO dirty_bucket (monitor_key, starts_at, is_day)
     SELECT key, hour, false FROM unnest($1::bigint[]) AS key, generate_series($2::timestamptz, $3, '1 hour') AS hour`,
    [withRows, new Date(fromMs), new Date(openFromMs - HOUR_MS)],
  );
  await client.query('UPDATE rollup_progress SET closed_until = $1', [new Date(openFromMs)]);
  while ((await rollUpResults({ db, clock: systemClock })) > 0);
  const others = keys.slice(MONITORS_WITH_ROWS);
  for (const table of ['check_rollup', 'check_rollup_day', 'check_result'])
    await giveToOthers(client, table, withRows[0]!, others, new Date(table === 'check_result' ? openFromMs : 0));
}

/** Copies every row of the monitor `from` in a table for each of `keys`. */
async function giveToOthers(client: pg.Client, table: string, from: number, keys: readonly number[], since: Date) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'monitor_key'`,
    [table],
  );
  const columns = rows.map(({ name }) => name).join(', ');
  const time = table === 'check_result' ? 'scheduled_at' : 'starts_at';
  await client.query(
    `INSERT INTO ${table} (monitor_key, ${columns})
     SELECT key, ${columns} FROM ${table}, unnest($1::bigint[]) AS key WHERE monitor_key = $2 AND ${time} >= $3`,
    [keys, from, since],
  );
}

/** A client with its own session, like an assistant. Without a monitor it sends pings. */
async function caller(product: Product, workspaceId: string, defer: Defer) {
  const agent = new Agent({ keepAlive: true });
  defer(() => agent.destroy());
  const claims = { email: 'user-1@example.test', email_verified: true };
  const token = await product.issuer.token({ sub: 'user-1', expiresIn: 3_600, claims });
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-workspace-id': workspaceId,
  };
  const post = (method: string, params: object) =>
    new Promise<{ tookMs: number; text: string; session: string }>((resolve, reject) => {
      const startedMs = performance.now();
      const sent = httpRequest(
        `${product.baseUrl}/mcp`,
        { method: 'POST', agent, headers, timeout: 10_000 },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer.once('end', () => {
            const session = String(answer.headers['mcp-session-id'] ?? '');
            if (answer.statusCode === 200) resolve({ tookMs: performance.now() - startedMs, text, session });
            else reject(new Error(`MCP answered ${answer.statusCode}: ${text}`));
          });
        },
      );
      sent.once('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    });
  const clientInfo = { name: 'bench', version: '1' };
  const begun = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  headers['mcp-session-id'] = begun.session;
  return async (monitorId: string | null): Promise<{ tookMs: number; uptime: Uptime }> => {
    const { tookMs, text } = await (monitorId === null
      ? post('ping', {})
      : post('tools/call', { name: 'get_monitor_uptime', arguments: { monitorId, daysBack: DAYS } }));
    const { result } = JSON.parse(text) as { result?: { structuredContent?: Uptime; isError?: boolean } };
    if (!result || result.isError) throw new Error(`MCP answered ${text}`);
    return { tookMs, uptime: result.structuredContent! };
  };
}

/** @throws Error if the answer differs from a count of the rows */
async function holdAgainstRows(client: pg.Client, key: number, { uptime }: { uptime: Uptime }): Promise<void> {
  const { rows } = await client.query<{ up: number; down: number; percentage: number }>(
    `SELECT up::integer, down::integer, round(100.0 * up / (up + down), 4)::float8 AS percentage FROM (
       SELECT count(*) FILTER (WHERE outcome = 1) AS up, count(*) FILTER (WHERE outcome = 2) AS down
       FROM check_result WHERE monitor_key = $1 AND scheduled_at >= $2 AND scheduled_at < $3) AS counted`,
    [key, uptime.periodStart, uptime.periodEnd],
  );
  const { up, down, percentage } = rows[0]!;
  const same = uptime.healthyChecks === up && uptime.unhealthyChecks === down && uptime.uptimePercentage === percentage;
  if (!same)
    throw new Error(`the tool returned ${JSON.stringify(uptime)}, the rows contain ${JSON.stringify(rows[0])}`);
}
