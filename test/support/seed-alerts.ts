import { applyIncidentCommands, type IncidentCommand } from '@watchpost/control-plane/capabilities/incidents/index';
import type { ActionGroupType } from '@watchpost/control-plane/capabilities/channels/index';
import { create, seedIncident, seedMonitor, type World } from './seed.js';

/** A monitor with the groups that are notified of it. */
export async function seedWatched(world: World, ...groupIds: string[]): Promise<string> {
  const { id } = await seedMonitor(world);
  for (const groupId of groupIds) await create(world.api, `/api/v1/action-groups/${groupId}/monitors/${id}`);
  return id;
}

export function seedGroup(world: World, type: ActionGroupType, body: object) {
  return create<{ id: string; secret: string }>(world.api, `/api/v1/action-groups/${type}`, { name: 'Team', ...body });
}

export const seedHook = (world: World, url: string, headers: Record<string, string> = {}) =>
  seedGroup(world, 'webhook', { url, headers });

/** Opens an incident now; the workers have not run yet. */
export const openIncident = (world: World, monitorId: string, failureReason?: string) =>
  seedIncident(world, monitorId, failureReason);

/** Opens incidents as one batch of results does. @returns their ids, in the order of the monitors */
export async function openTogether({ app, workspaceId }: World, monitorIds: readonly string[]): Promise<string[]> {
  const rows = await app.sql<{ id: string; key: number }>('SELECT id, key FROM monitor WHERE id = ANY ($1)', [
    monitorIds,
  ]);
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  const opened = await app.db.transaction((tx) =>
    applyIncidentCommands(
      { clock: app.clock },
      tx,
      monitorIds.map((monitorId) => ({
        kind: 'open',
        workspaceId,
        monitorKey: keys.get(monitorId)!,
        monitorId,
        monitorName: 'Shop',
        incidentType: 'Availability',
        severity: 'down',
        regions: ['northeurope'],
        failureReason: 'The server at 203.0.113.7:443 refused the connection.',
        context: {},
        atMs: app.clock.now(),
        events: [],
        openedDetail: {},
      })),
    ),
  );
  const ids = new Map(opened.map(({ monitorKey, incidentId }) => [monitorKey, incidentId]));
  return monitorIds.map((monitorId) => ids.get(keys.get(monitorId)!)!);
}

export async function change(
  { app, workspaceId }: World,
  incidentId: string,
  command: Partial<IncidentCommand> & { kind: 'recover' | 'stop' | 'update' | 'relapse' },
): Promise<void> {
  const whole = {
    workspaceId,
    incidentId,
    atMs: app.clock.now(),
    events: [],
    autoClose: true,
    closing: { type: 'closed', atMs: app.clock.now(), detail: { automatic: true, reason: 'The monitor was paused.' } },
    regions: [],
    severity: 'down',
    ...command,
  } as unknown as IncidentCommand;
  await app.db.transaction((tx) => applyIncidentCommands({ clock: app.clock }, tx, [whole]));
}

export interface ShownDelivery {
  id: string;
  eventId: string;
  eventType: string;
  incidentId: string | null;
  destination: string;
  purpose: string;
  state: string;
  attempts: number;
  statusCode: number | null;
  answer: string | null;
  error: string | null;
  nextAttempt: string | null;
}

/** Newest first. */
export async function deliveriesOf({ api }: World, groupId: string): Promise<ShownDelivery[]> {
  return (await api<ShownDelivery[]>('GET', `/api/v1/action-groups/${groupId}/deliveries`)).body;
}

export async function timelineOf({ api }: World, incidentId: string) {
  const { body } = await api<{ timeline: { type: string; detail: Record<string, unknown> }[] }>(
    'GET',
    `/api/v1/incident/${incidentId}`,
  );
  return body.timeline;
}
