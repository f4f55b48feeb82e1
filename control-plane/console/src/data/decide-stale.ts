/** The collections whose answers a kind of event may change. A path belongs to the first segment after `/api/v1/`. */
const AFFECTED = {
  monitor: [
    'status-page-summaries',
    'report-schedules',
    'overview',
    'monitor',
    'monitor-charts',
    'tags',
    'service-group',
    'alert-coverage',
  ],
  incident: ['status-page-summaries', 'overview', 'incident', 'monitor', 'monitor-charts'],
  maintenance: ['overview', 'maintenance-windows', 'monitor', 'monitor-charts'],
  fleet: ['overview', 'regions', 'private-locations'],
  delivery: ['overview', 'deliveries', 'incident', 'action-groups'],
  member: ['workspaces'],
  invitation: ['workspaces'],
  apiKey: ['api-keys'],
} as const satisfies Record<string, readonly string[]>;

/** What an event of `GET /api/v1/events` names. */
export type EventKind = keyof typeof AFFECTED | 'reset';

export interface ConsoleEvent {
  kind: EventKind;
  /** '' for `reset`. */
  id: string;
}

export function isEventKind(name: string): name is EventKind {
  return name === 'reset' || Object.hasOwn(AFFECTED, name);
}

const ONE_MONITOR = /^\/api\/v1\/monitor\/([0-9a-f-]{36})/;
const ONE_INCIDENT = /^\/api\/v1\/incident\/([0-9a-f-]{36})/;

/** @returns whether the answer at this path (with query) may have changed by the event */
export function decideStale(path: string, { kind, id }: ConsoleEvent): boolean {
  if (kind === 'reset') return true;
  const [, collection] = /^\/api\/v1\/([^/?]+)/.exec(path) ?? [];
  if (collection === undefined || !(AFFECTED[kind] as readonly string[]).includes(collection)) return false;
  const own = kind === 'monitor' ? ONE_MONITOR : kind === 'incident' ? ONE_INCIDENT : undefined;
  const [, subject] = own?.exec(path) ?? [];
  return subject === undefined || subject === id;
}
