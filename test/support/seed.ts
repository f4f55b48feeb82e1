import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { applyIncidentCommands } from '@watchpost/control-plane/capabilities/incidents/index';
import type { Role } from '@watchpost/control-plane/platform/identity/caller';
import type { PlanName } from '@watchpost/control-plane/capabilities/plans/index';
import type { CallAs, TestApp, TestMember, TestUser } from './app.js';
import type { Api, Json } from './product.js';

const MONITORS_A_DOCUMENT = 100;

/** A new workspace in a running app, with its members. It is cheap enough for one per case. */
export interface World {
  readonly app: TestApp;
  readonly owner: TestUser;
  /** Not the personal workspace of the owner, so that it can be transferred and deleted. */
  readonly workspaceId: string;
  /** Calls REST as the owner in this workspace. */
  readonly api: Api;
  /** Calls REST as `user` in this workspace. */
  as(user: Pick<TestUser, 'sub'>, options?: Omit<CallAs, 'workspaceId'>): Api;
  /** A member with this role, created once for each role. */
  member(role: Role): Promise<TestMember>;
}

export async function makeWorld(app: TestApp, plan: PlanName = 'Enterprise'): Promise<World> {
  const owner = await app.user(undefined, plan);
  const now = new Date(app.clock.now());
  const [workspaceId, ownerMemberId] = [newId(app.clock.now()), newId(app.clock.now())];
  await app.sql(
    `WITH workspace AS (
       INSERT INTO workspace (id, name, owner_id, created, last_modified) VALUES ($1, 'Acme', $3, $4, $4)
     )
     INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($2, $1, $3, 'Owner', $4, $4)`,
    [workspaceId, ownerMemberId, owner.userId, now],
  );
  const as: World['as'] = ({ sub }, options) => app.as(sub, { ...options, workspaceId });
  const members = new Map<Role, Promise<TestMember>>();
  members.set('Owner', Promise.resolve({ ...owner, role: 'Owner', memberId: ownerMemberId, api: as(owner) }));
  async function join(user: TestUser, role: Role): Promise<TestMember> {
    const memberId = newId(app.clock.now());
    await app.sql(
      'INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, $4, $5, $5)',
      [memberId, workspaceId, user.userId, role, now],
    );
    return { ...user, role, memberId, api: as(user) };
  }
  return {
    app,
    owner,
    workspaceId,
    api: as(owner),
    as,
    member(role) {
      const known = members.get(role) ?? app.user().then((user) => join(user, role));
      members.set(role, known);
      return known;
    },
  };
}

/** Creates a resource over REST and returns it. Any other answer than success fails the test. */
export async function create<Body = Record<string, unknown> & { id: string }>(
  api: Api,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<Body> {
  const answer = await api<Body>(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).to.be.within(200, 299);
  return answer.body;
}

/**
 * Creates many monitors over REST by configuration as code, which takes a fraction of the time of a request for each.
 * A second call for a workspace would change the monitors of the first.
 * @returns their ids, in the order of `monitors`
 */
export async function createMonitors(
  api: Api,
  monitors: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < monitors.length; from += MONITORS_A_DOCUMENT) {
    const part = monitors.slice(from, from + MONITORS_A_DOCUMENT).map((one, index) => [`m${index}`, one] as const);
    const document = { apiVersion: 'watchpost/v1', project: `from-${from}`, monitors: Object.fromEntries(part) };
    const { status, body } = await api('POST', '/api/v1/config/apply', { document }, headers);
    expect(status, JSON.stringify(body)).to.equal(200);
    const idOf = new Map<string, string>(body.changes.map(({ key, id }: Json) => [key, id]));
    ids.push(...part.map(([key]) => idOf.get(key)!));
  }
  return ids;
}

/** A heartbeat monitor with the path of its ping URL. */
export async function seedHeartbeat(
  { api }: Pick<World, 'api'>,
  settings: object = {},
): Promise<{ id: string; pingPath: string }> {
  const body = { name: 'Backup', monitorTypes: ['Heartbeat'], heartbeat: { every: 'PT1H' }, ...settings };
  const { id, heartbeat } = await create<{ id: string; heartbeat: { pingUrl: string } }>(api, '/api/v1/monitor', body);
  return { id, pingPath: new URL(heartbeat.pingUrl).pathname };
}

export function seedMonitor({ api }: Pick<World, 'api'>, body: object = {}): Promise<{ id: string }> {
  return create(api, '/api/v1/monitor', { url: 'https://shop.example/', name: 'Shop', ...body });
}

export async function seedIncident(
  { app, workspaceId }: Pick<World, 'app' | 'workspaceId'>,
  monitorId: string,
  failureReason = 'The server at 203.0.113.7:443 refused the connection.',
): Promise<string> {
  const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
  const [opened] = await app.db.transaction((tx) =>
    applyIncidentCommands({ clock: app.clock }, tx, [
      {
        kind: 'open',
        workspaceId,
        monitorKey: key,
        monitorId,
        monitorName: 'Shop',
        incidentType: 'Availability',
        severity: 'down',
        regions: ['northeurope'],
        failureReason,
        context: { failingSince: null },
        atMs: app.clock.now(),
        events: [{ type: 'region_failed', atMs: app.clock.now(), detail: { region: 'northeurope' } }],
        openedDetail: {},
      },
    ]),
  );
  return opened!.incidentId;
}

/** An id that no resource has. */
export const nobodysId = (): string => randomUUID();

/** Adds monitors like one that is there, with tags of their own, without a request each. */
export async function fillMonitors(
  app: Pick<TestApp, 'sql'>,
  like: string,
  count: number,
  tags: string[],
): Promise<void> {
  await app.sql(
    `INSERT INTO monitor (id, workspace_id, name, url, monitor_types, check_interval_ms, check_timeout_ms,
       checks_before_alert, checks_before_recovery, reporting, settings, created, last_modified,
       checks_changed, tags)
     SELECT gen_random_uuid(), workspace_id, name, url, monitor_types, check_interval_ms, check_timeout_ms,
       checks_before_alert, checks_before_recovery, reporting, settings, created, last_modified,
       checks_changed, $3 FROM monitor, generate_series(1, $2) WHERE id = $1`,
    [like, count, tags],
  );
  await app.sql(
    `INSERT INTO series (monitor_key, counts_from, fresh_until, kind, region, alert_after, recover_after)
     SELECT key, created, created + interval '1 h', 1, region, 2, 1 FROM monitor, generate_series(1, 4) AS region
     WHERE workspace_id = (SELECT workspace_id FROM monitor WHERE id = $1) AND tags = $2 ON CONFLICT DO NOTHING`,
    [like, tags],
  );
}
