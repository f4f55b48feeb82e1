import type pg from 'pg';
import { EXTRA_REGIONS, type Region } from '@watchpost/shared/region';
import type { Api, Product } from '../support/product.js';
import { create } from '../support/seed.js';
import { loadMonitors } from './load-monitors.js';

/** The other region in which the monitors are checked. */
export const AWAY: Region = EXTRA_REGIONS[0]!;

export interface StormSize {
  owners: number;
  /** Of all owners together. The first of each owner has a team on call. */
  workspaces: number;
  monitorsEach: number;
  /** Monitors of a workspace whose incidents are also sent by mail to the owner. */
  mailedEach: number;
  /** All monitors are checked once within this time. */
  intervalMs: number;
}

export interface StormWorkspace {
  id: string;
  /** As its owner. */
  api: Api;
  owner: string;
  monitors: { id: string; key: number }[];
}

export interface StormWorld {
  workspaces: StormWorkspace[];
  /** How many incidents of all page somebody. */
  paged: number;
  mailed: number;
}

/** Owners with workspaces, monitors that were healthy for an hour, a webhook each, some mail, and people on call. */
export async function makeStormWorld(
  product: Product,
  client: pg.Client,
  size: StormSize,
  hooks: readonly string[],
): Promise<StormWorld> {
  const world: StormWorld = { workspaces: [], paged: 0, mailed: 0 };
  for (let place = 0; place < size.workspaces; place++) {
    const owner = `owner-${place % size.owners}`;
    const id = await addWorkspace(product, client, owner, place);
    await loadMonitors(client, id, size.monitorsEach, `https://site-${place}.example/`, [AWAY]);
    const { rows } = await client.query<{ id: string; key: number }>(
      'SELECT id, key::integer AS key FROM monitor WHERE workspace_id = $1 ORDER BY key',
      [id],
    );
    const api: Api = (method, path, body, headers) =>
      product.apiAs(owner)(method, path, body, { 'x-workspace-id': id, ...headers });
    const hook = await create(api, '/api/v1/action-groups/webhook', { name: 'Receiver', url: hooks[place] });
    await attach(client, hook.id, rows);
    const recipients = [`${owner}@example.test`];
    const group = await create(api, '/api/v1/action-groups/email', { name: 'Owner', recipients });
    await attach(client, group.id, rows.slice(0, size.mailedEach));
    world.mailed += Math.min(size.mailedEach, rows.length);
    if (place < size.owners) {
      await addTeam(product, client, api, id, place);
      world.paged += rows.length;
    }
    world.workspaces.push({ id, api, owner, monitors: rows });
  }
  await client.query(`UPDATE series SET alert_after = 1`);
  await client.query(
    `UPDATE monitor SET checks_before_alert = 1, check_interval_ms = $1, site = 'site-' || key || '.example'`,
    [size.intervalMs],
  );
  await client.query('VACUUM ANALYZE');
  return world;
}

async function userId(product: Product, sub: string): Promise<string> {
  return (await create(product.apiAs(sub), '/api/v1/user', undefined, 'GET')).id;
}

async function addWorkspace(product: Product, client: pg.Client, owner: string, place: number): Promise<string> {
  const ownerId = await userId(product, owner);
  await client.query(`UPDATE user_account SET plan = 'Enterprise', plan_limits = '{"monitors": null}' WHERE id = $1`, [
    ownerId,
  ]);
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO workspace (id, name, owner_id, created, last_modified) VALUES (gen_random_uuid(), $1, $2, now(), now()) RETURNING id`,
    [`Workspace ${place}`, ownerId],
  );
  await addMember(client, rows[0]!.id, ownerId, 'Owner');
  return rows[0]!.id;
}

async function addMember(client: pg.Client, workspaceId: string, memberId: string, role: string): Promise<void> {
  await client.query(
    `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES (gen_random_uuid(), $1, $2, $3, now(), now())`,
    [workspaceId, memberId, role],
  );
}

async function attach(client: pg.Client, groupId: string, monitors: StormWorkspace['monitors']): Promise<void> {
  await client.query(
    'INSERT INTO action_group_monitor (group_id, monitor_key, attached) SELECT $1, key, now() FROM unnest($2::bigint[]) AS key',
    [groupId, monitors.map(({ key }) => key)],
  );
}

/** A person on call for all monitors of a workspace. */
async function addTeam(product: Product, client: pg.Client, api: Api, workspaceId: string, place: number) {
  const person = await userId(product, `on-call-${place}`);
  await addMember(client, workspaceId, person, 'Responder');
  const group = await create(api, '/api/v1/service-group', { name: 'Sites' });
  await client.query('UPDATE monitor SET service_group_id = $2 WHERE workspace_id = $1', [workspaceId, group.id]);
  const team = await create(api, '/api/v1/teams', { name: 'Night watch' });
  const path = `/api/v1/teams/${team.id}`;
  await create(api, `${path}/members`, { userId: person, teamRole: 'lead' });
  const startDate = new Date(Date.now() - 48 * 3_600_000).toISOString().slice(0, 10);
  await create(api, `${path}/schedule`, { rotation: 'daily', startDate, participants: [person] }, 'PUT');
  await create(api, `${path}/service-groups/${group.id}`, undefined, 'PUT');
}
