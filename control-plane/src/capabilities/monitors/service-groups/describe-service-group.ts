import { notFound } from '@watchpost/shared/fault';
import { hostOfUrl } from '../settings/monitor-url.js';
import type { ServiceGroupView } from './service-group-schemas.js';
import type { ServiceGroupViewRow } from './service-group-view-store.js';

/** What callers see of a service group. */
export function describeServiceGroup(row: ServiceGroupViewRow, nowMs: number): ServiceGroupView {
  return {
    id: row.id,
    name: row.name,
    hostname: row.hostname ?? commonHost(row.monitors.map(({ url }) => url)),
    // As of a monitor by itself: what nobody has looked at for long is not known.
    monitors: row.monitors.map(({ knownUntilMs, ...monitor }) => ({
      ...monitor,
      healthStatus: knownUntilMs !== null && knownUntilMs <= nowMs ? null : monitor.healthStatus,
    })),
    routedTeamIds: row.routedTeamIds,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    purgeAt: row.purgeAt?.toISOString() ?? null,
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** @throws Fault not_found where there is no row */
export function describeFoundGroup(row: ServiceGroupViewRow | undefined, nowMs: number): ServiceGroupView {
  if (!row) throw notFound('service group');
  return describeServiceGroup(row, nowMs);
}

/** What of a group only changes when somebody changes it: its entity tag stands for this. */
export function steadyPartOfGroup({ monitors, ...group }: ServiceGroupView): object {
  return { ...group, monitors: monitors.map(({ healthStatus: _, ...monitor }) => monitor) };
}

function commonHost(urls: readonly string[]): string | null {
  const hosts = new Set(urls.map(hostOfUrl));
  return hosts.size === 1 ? [...hosts][0]! : null;
}
