import { notFound } from '@watchpost/shared/fault';
import { hostOfUrl } from '../monitor-url.js';
import type { ServiceGroupView } from './service-group-schemas.js';
import type { ServiceGroupViewRow } from './service-group-view-store.js';

/** What callers see of a service group. */
export function describeServiceGroup(row: ServiceGroupViewRow): ServiceGroupView {
  return {
    id: row.id,
    name: row.name,
    hostname: row.hostname ?? commonHost(row.monitors.map(({ url }) => url)),
    monitors: row.monitors,
    routedTeamIds: row.routedTeamIds,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    purgeAt: row.purgeAt?.toISOString() ?? null,
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** @throws Fault not_found where there is no row */
export function describeFoundGroup(row: ServiceGroupViewRow | undefined): ServiceGroupView {
  if (!row) throw notFound('service group');
  return describeServiceGroup(row);
}

/** What of a group only changes when somebody changes it: its entity tag stands for this. */
export function steadyPartOfGroup({ monitors, ...group }: ServiceGroupView): object {
  return { ...group, monitors: monitors.map(({ healthStatus: _, ...monitor }) => monitor) };
}

function commonHost(urls: readonly string[]): string | null {
  const hosts = new Set(urls.map(hostOfUrl));
  return hosts.size === 1 ? [...hosts][0]! : null;
}
