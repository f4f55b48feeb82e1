import pino from 'pino';
import type pg from 'pg';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Region } from '@watchpost/shared/region';
import { migrations } from '@watchpost/control-plane/app/schema';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';
import { Partitions } from '@watchpost/control-plane/capabilities/results/index';
import { systemClock } from '@watchpost/shared/clock';
import type { Product } from '../support/product.js';
import { create } from '../support/seed.js';
import { loadMonitors } from './load-monitors.js';
import { loadHours, loadRows, rollUp } from './report-load.js';

const EXTRA_REGIONS: readonly Region[] = ['eastus2', 'japaneast'];
const OPEN_INCIDENTS = 40;
const TEAMS = 10;
const GROUPS = 20;
/** Days of the charted monitors with single results; before them, hours. */
const ROW_DAYS = 2;
const HOUR_DAYS = 30;

/** What is wrong with the workspace, and who would be notified. */
interface Loaded {
  /** The first page of the list, the worst first. */
  pageIds: string[];
}

/**
 * Loads a large workspace that is in order, apart from some monitors: three regions with agents, open incidents, teams with
 * a rotation, and action groups on all monitors. The monitors of the first page have a month of results from one region.
 */
export async function loadLargeWorkspace(
  product: Product,
  client: pg.Client,
  workspaceId: string,
  monitors: number,
  pageSize: number,
): Promise<Loaded> {
  await loadMonitors(client, workspaceId, monitors, 'https://shop.example/', EXTRA_REGIONS);
  await client.query(`UPDATE series SET fresh_until = now() + interval '1 hour'`);
  await client.query(
    `INSERT INTO agent (id, name, region, token_hash, last_seen, created, last_modified)
     SELECT gen_random_uuid(), 'one', region, sha256(region::bytea), now() + interval '1 hour', now(), now()
     FROM unnest($1::text[]) AS region`,
    [['northeurope', ...EXTRA_REGIONS]],
  );
  await loadIncidents(client, workspaceId);
  await loadPeople(product, client, workspaceId);
  const list = await product.api<{ id: string }[]>('GET', `/api/v1/monitor?sort=health&pageSize=${pageSize}`);
  const pageIds = list.body.map(({ id }) => id);
  await loadResults(product, client, pageIds);
  await client.query('VACUUM ANALYZE');
  return { pageIds };
}

async function loadIncidents(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(
    `WITH down AS (UPDATE monitor_state SET health_status = 'unavailable', verdict = 'unavailable'
       WHERE monitor_key IN (SELECT key FROM monitor WHERE workspace_id = $1 ORDER BY key LIMIT $2) RETURNING monitor_key)
     INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, status, is_closed, severity,
       regions, started, failure_reason, context, created, last_modified)
     SELECT gen_random_uuid(), $1, key, id, name, 'Availability', 'Ongoing', false, 'down', '{northeurope,eastus2}', now(),
       'The server answered 503.', '{"statusCode": 503}', now(), now()
     FROM monitor JOIN down ON monitor_key = key`,
    [workspaceId, OPEN_INCIDENTS],
  );
}

async function loadPeople({ api }: Product, client: pg.Client, workspaceId: string): Promise<void> {
  const { body: user } = await api<{ id: string }>('GET', '/api/v1/user');
  const startDate = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  for (let number = 0; number < TEAMS; number++) {
    const { id } = await create(api, '/api/v1/teams', { name: `Team ${number}` });
    await create(api, `/api/v1/teams/${id}/members`, { userId: user.id, teamRole: 'lead' });
    const rotation = { rotation: 'daily', handoffTime: '09:00', startDate, participants: [user.id] };
    await create(api, `/api/v1/teams/${id}/schedule`, rotation, 'PUT');
  }
  for (let number = 0; number < GROUPS; number++) {
    await create(api, '/api/v1/action-groups/email', { name: `Group ${number}`, recipients: ['user-1@example.test'] });
  }
  await client.query(
    `INSERT INTO action_group_monitor (group_id, monitor_key, attached)
     SELECT groups.id, key, now() FROM (SELECT id, row_number() OVER () AS place FROM action_group WHERE workspace_id = $1) AS groups
       JOIN monitor ON key % ${GROUPS} + 1 = place WHERE monitor.workspace_id = $1`,
    [workspaceId],
  );
}

async function loadResults(product: Product, client: pg.Client, ids: readonly string[]): Promise<void> {
  const db = await Database.open({
    url: (await readEmbeddedUrl(product.dataDir))!,
    poolSize: 2,
    entities: [],
    migrations,
    logger: pino({ level: 'silent' }),
  });
  try {
    const { rows } = await client.query<{ key: string }>('SELECT key FROM monitor WHERE id = ANY ($1)', [ids]);
    const keys = rows.map(({ key }) => Number(key));
    const nowMs = Date.now();
    const fromMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - ROW_DAYS * DAY_MS;
    const days = Array.from({ length: ROW_DAYS + 1 }, (_, day) => fromMs + day * DAY_MS);
    await new Partitions({ db, clock: systemClock, retentionDays: 35 }).ensureFor(days);
    await loadRows(db, keys, fromMs, ROW_DAYS);
    await rollUp(db, keys, fromMs, nowMs);
    await loadHours(db, keys, nowMs - HOUR_DAYS * DAY_MS, fromMs);
  } finally {
    await db.close();
  }
}
