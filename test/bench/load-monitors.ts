import pg from 'pg';
import pino from 'pino';
import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { HOME_REGION, regionCode, type Region } from '@watchpost/shared/region';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';
import { changedGroups } from '@watchpost/control-plane/capabilities/monitors/settings/monitor-settings';
import type { Product } from '../support/product.js';
import type { Defer } from './bench.js';

/** Connects to the embedded database of a product, for data that no interface returns. */
export async function databaseOf(product: Product, defer: Defer): Promise<pg.Client> {
  const url = await readEmbeddedUrl(product.dataDir);
  const client = new pg.Client({ connectionString: url!, connectionTimeoutMillis: 5_000 });
  await client.connect();
  // The product ends first and stops the server.
  client.on('error', () => {});
  defer(() => client.end());
  return client;
}

/** The stores of the product on the embedded database, for what only they can write. */
export async function storesOf(product: Product, defer: Defer): Promise<Database> {
  const url = (await readEmbeddedUrl(product.dataDir))!;
  const db = await Database.open({ url, poolSize: 2, entities: [], migrations: [], logger: pino({ level: 'silent' }) });
  defer(() => db.close());
  return db;
}

/** The workspace of the user who calls `product.api`, on a plan without a limit of monitors. */
export async function openWorkspace(product: Product, client: pg.Client): Promise<string> {
  const { status, body } = await product.api<{ id: string }>('GET', '/api/v1/user');
  if (status !== 200) throw new Error(`signing in was answered with ${status}: ${JSON.stringify(body)}`);
  await client.query(`UPDATE user_account SET plan = 'Enterprise', plan_limits = '{"monitors": null}' WHERE id = $1`, [
    body.id,
  ]);
  const { rows } = await client.query<{ id: string }>('SELECT id FROM workspace WHERE owner_id = $1', [body.id]);
  return rows[0]!.id;
}

/** Stores users, each with a workspace, on a plan without a limit of monitors. @returns the ids of the workspaces */
export async function loadWorkspaces(client: pg.Client, count: number): Promise<string[]> {
  await client.query(
    `INSERT INTO user_account (id, issuer, subject, plan, plan_limits, created, last_modified)
     SELECT gen_random_uuid(), 'https://issuer.test', 'owner-' || number, 'Enterprise', '{"monitors": null}', now(), now()
     FROM generate_series(1, $1::integer) AS number`,
    [count],
  );
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO workspace (id, name, owner_id, created, last_modified)
     SELECT gen_random_uuid(), 'Workspace', id, now(), now() FROM user_account WHERE issuer = 'https://issuer.test'
     RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Loads monitors that are checked every minute in the home region and in others, with their state after an hour of healthy
 * checks, because the first result of a monitor costs more than later ones.
 * @param workspaces the monitors are divided among them
 * @param urls the monitors are divided among them; `{n}` is replaced by the number of the monitor
 */
export async function loadMonitors(
  client: pg.Client,
  workspaces: string | readonly string[],
  count: number,
  urls: string | readonly string[],
  extraRegions: readonly Region[] = [],
): Promise<void> {
  const workspaceIds = typeof workspaces === 'string' ? [workspaces] : workspaces;
  await client.query(
    `INSERT INTO monitor (id, workspace_id, name, url, site, monitor_types, check_interval_ms, check_timeout_ms, checks_before_alert,
       checks_before_recovery, reporting, settings, enabled_regions, created, last_modified, checks_changed)
     SELECT gen_random_uuid(), ($1::uuid[])[1 + number % cardinality($1::uuid[])], 'Monitor ' || number, own.url,
       split_part(split_part(own.url, '/', 3), ':', 1), '{HttpAvailability}', 60000, 30000, 2, 1, '{}', $4, $5,
       made.at, made.at, made.at
     FROM generate_series(1, $3::integer) AS number, replace(($2::text[])[1 + number % cardinality($2::text[])], '{n}', number::text) AS own (url),
       (SELECT now() - interval '1 hour' AS at) AS made`,
    [workspaceIds, typeof urls === 'string' ? [urls] : urls, count, changedGroups({}), extraRegions],
  );
  await client.query(
    `INSERT INTO series (monitor_key, counts_from, last_scheduled_at, last_started_at, conclusive_at, fresh_until,
       streak_since, last_total_us, streak, kind, region, last_outcome, streak_outcome, last_status_code, alert_after,
       recover_after, failing, settled)
     SELECT key, checks_changed, at, at, at, at + interval '10 minutes', checks_changed, 1000, 59, $2, region, 1, 1, 200, 2, 1, false, true
     FROM monitor, unnest($3::smallint[]) AS region, (SELECT now() - interval '2 minutes' AS at) AS last
     WHERE workspace_id = ANY ($1) ORDER BY key, region`,
    [workspaceIds, CHECK_KIND_CODES.http, [HOME_REGION, ...extraRegions].map(regionCode)],
  );
  await client.query(
    `INSERT INTO monitor_state (monitor_key, workspace_id, health_status, verdict, verdict_since)
     SELECT key, workspace_id, 'available', 'available', checks_changed FROM monitor WHERE workspace_id = ANY ($1) ORDER BY key`,
    [workspaceIds],
  );
  await client.query('ANALYZE');
}
