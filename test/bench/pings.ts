import { createHash } from 'node:crypto';
import type pg from 'pg';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { hashToken } from '@watchpost/control-plane/platform/identity/secret-token';
import {
  DEFAULT_SETTINGS,
  type MonitorSettings,
} from '@watchpost/control-plane/capabilities/monitors/settings/monitor-settings';
import { startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile, rangeOf } from './figures.js';
import { ask, forked } from './forked.js';
import { databaseOf, loadWorkspaces } from './load-monitors.js';
import type { PingTurn, PingTurnResult } from './ping-load.js';
import { childrenCpuMs } from './process-usage.js';

const OWNERS = 40;
/** Each is pinged every two seconds, which is below its limit of 60 a minute. */
const HEARTBEATS = 4_000;
const PER_SECOND = 2_000;
const TURN_SECONDS = 5;
const TURNS = 3;
const WARM_UP_SECONDS = 4;
const AIM_MS = 50;

interface Turn {
  p50: number;
  p99: number;
  failed: number;
  /** Microseconds of CPU for each request. */
  cpuUs: Map<string, number>;
}

/**
 * Measures 2,000 pings a second, each answered after the durable commit of its batch, compared with an empty Koa route at the same
 * rate. They take turns, as both together need more than two cores.
 */
export async function benchPings(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const paths = await loadHeartbeats(client);
  const empty = await ask<{ port: number }>(forked('empty-koa.js', defer));
  const sender = forked('ping-load.js', defer);

  const turn = async (port: number, seconds: number): Promise<Turn> => {
    const before = childrenCpuMs(product.controlPlane.pid);
    const asked: PingTurn = { port, paths, perSecond: PER_SECOND, seconds };
    const { timesMs, failed } = await ask<PingTurnResult>(sender, asked);
    const after = childrenCpuMs(product.controlPlane.pid);
    const cpuUs = new Map(
      [...after].map(([name, ms]) => [name, ((ms - (before.get(name) ?? 0)) * 1_000) / (PER_SECOND * seconds)]),
    );
    return { p50: quantile(timesMs, 0.5), p99: quantile(timesMs, 0.99), failed, cpuUs };
  };
  const port = Number(new URL(product.baseUrl).port);
  for (const each of [port, empty.port]) await turn(each, WARM_UP_SECONDS);
  const [pings, empties]: [Turn[], Turn[]] = [[], []];
  const counted = await countPings(client);
  for (let number = 0; number < TURNS; number++) {
    empties.push(await turn(empty.port, TURN_SECONDS));
    pings.push(await turn(port, TURN_SECONDS));
  }
  const stored = await countPings(client);
  const [count, commits] = [stored.pings - counted.pings, stored.commits - counted.commits];

  const middle = (turns: readonly Turn[], of: (turn: Turn) => number) => quantile(turns.map(of), 0.5);
  const time = (name: string, of: (turn: Turn) => number, aimMs?: number) =>
    benchRow({
      name: `${name} (${rangeOf(pings.map(of), 'ms')}, empty ${rangeOf(empties.map(of), 'ms')})`,
      value: middle(pings, of),
      unit: 'ms',
      yardstick: { name: 'empty Koa route, same rate', value: middle(empties, of) },
      ...(aimMs === undefined ? {} : { aim: { text: `<= ${aimMs} ms`, met: ({ value }) => value <= aimMs } }),
    });
  const cpu = (name: string) => {
    const of = ({ cpuUs }: Turn) => cpuUs.get(name) ?? 0;
    return benchRow({
      name: `  CPU of a ping, ${name} (${rangeOf(pings.map(of), 'µs')})`,
      value: middle(pings, of),
      unit: 'µs',
    });
  };
  return [
    time(`${PER_SECOND.toLocaleString('en')} pings a second, p99`, ({ p99 }) => p99, AIM_MS),
    time('  p50', ({ p50 }) => p50),
    cpu('control plane'),
    cpu('PostgreSQL'),
    benchRow({ name: '  pings in a commit', value: count / commits, unit: 'pings' }),
    benchRow({
      name: '  pings that were not answered with 200',
      value: pings.reduce((sum, { failed }) => sum + failed, 0),
      unit: 'pings',
      aim: { text: '0', met: ({ value }) => value === 0 },
    }),
  ];
}

/** Stores heartbeats of several owners. @returns the paths of their ping URLs */
async function loadHeartbeats(client: pg.Client): Promise<string[]> {
  const workspaceIds = await loadWorkspaces(client, OWNERS);
  const tokens = Array.from({ length: HEARTBEATS }, (_, number) =>
    createHash('sha256').update(`bench ${number}`).digest('base64url').slice(0, 32),
  );
  const heartbeat: MonitorSettings['heartbeat'] = {
    everyMs: HOUR_MS,
    cron: null,
    timezone: null,
    graceMs: 5 * MINUTE_MS,
    maxRuntimeMs: null,
  };
  const { reporting } = DEFAULT_SETTINGS;
  await client.query(
    `INSERT INTO monitor (id, workspace_id, name, monitor_types, check_interval_ms, check_timeout_ms, checks_before_alert,
       checks_before_recovery, reporting, heartbeat, created, last_modified, checks_changed)
     SELECT gen_random_uuid(), ($1::uuid[])[1 + number % cardinality($1::uuid[])], 'Job ' || number, '{Heartbeat}', 300000, 30000, 2, 1,
       $3, $4, now(), now(), now()
     FROM generate_series(1, $2::integer) AS number`,
    [workspaceIds, HEARTBEATS, reporting, heartbeat],
  );
  await client.query(
    `INSERT INTO ping_token (monitor_id, hash, sealed)
     SELECT id, hash, '' FROM unnest($1::bytea[]) WITH ORDINALITY AS token (hash, place)
     JOIN (SELECT id, row_number() OVER (ORDER BY key) AS place FROM monitor WHERE heartbeat IS NOT NULL) AS job USING (place)`,
    [tokens.map(hashToken)],
  );
  await client.query(
    'INSERT INTO heartbeat (monitor_key, workspace_id, counts_from) SELECT key, workspace_id, now() FROM monitor WHERE heartbeat IS NOT NULL',
  );
  await client.query(
    'INSERT INTO monitor_state (monitor_key, workspace_id, verdict_since) SELECT key, workspace_id, now() FROM monitor WHERE heartbeat IS NOT NULL ORDER BY key',
  );
  await client.query('ANALYZE');
  return tokens.map((token) => `/ping/${token}`);
}

/** The stored pings, and the transactions that stored them. */
async function countPings(client: pg.Client): Promise<{ pings: number; commits: number }> {
  const { rows } = await client.query<{ pings: number; commits: number }>(
    'SELECT count(*)::integer AS pings, count(DISTINCT xmin::text)::integer AS commits FROM ping',
  );
  return rows[0]!;
}
