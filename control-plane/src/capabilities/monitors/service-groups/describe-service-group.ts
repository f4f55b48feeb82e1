import { notFound } from '@watchpost/shared/fault';
import { hostOfUrl } from '../settings/monitor-url.js';
import type { ServiceGroupView } from './service-group-schemas.js';
import type { ServiceGroupViewRow } from './service-group-view-store.js';

export function describeServiceGroup(row: ServiceGroupViewRow, nowMs: number): ServiceGroupView {
  return {
    id: row.id,
    name: row.name,
    hostname: row.hostname ?? commonHost(row.monitors.flatMap(({ url }) => url ?? [])),
    // As for a monitor: health is unknown where all results are stale.
    monitors: row.monitors.map(({ knownUntilMs, ...monitor }) => ({
      ...monitor,
      healthStatus: knownUntilMs !== null && knownUntilMs <= nowMs ? null : monitor.healthStatus,
    })),
    routedTeamIds: row.routedTeamIds,
    managedBy: row.managedBy,
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

/** The part of a group that its ETag covers: the fields that only people change. */
export function steadyPartOfGroup({ monitors, ...group }: ServiceGroupView): object {
  return { ...group, monitors: monitors.map(({ healthStatus: _, ...monitor }) => monitor) };
}

function commonHost(urls: readonly string[]): string | null {
  const hosts = new Set(urls.map(hostOfUrl));
  return hosts.size === 1 ? [...hosts][0]! : null;
}
