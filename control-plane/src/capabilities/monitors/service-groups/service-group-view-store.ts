import { type ManagedBy, managedByColumn } from '../../../platform/documents/managed-by.js';
import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import type { ListPage, Rows, Tx } from '../../../platform/db/database.js';
import type { MonitoringStatus } from '../settings/general-settings-schemas.js';
import type { HealthStatus } from '../monitor-filter.js';
import type { ServiceGroupRow } from './service-group-store.js';

export interface ServiceGroupMemberRow {
  id: string;
  name: string;
  url: string | null;
  monitorTypes: MonitorType[];
  monitoringStatus: MonitoringStatus;
  healthStatus: HealthStatus | null;
  /** Until when the newest result of any region is fresh; null without results. */
  knownUntilMs: number | null;
}

export interface ServiceGroupViewRow extends ServiceGroupRow {
  monitors: ServiceGroupMemberRow[];
  routedTeamIds: string[];
  managedBy: ManagedBy;
}

const COLUMNS = `${managedByColumn('serviceGroups', 'shown')}, shown.id, shown.name, shown.hostname, shown.deleted_at AS "deletedAt", shown.purge_at AS "purgeAt",
  shown.created, shown.last_modified AS "lastModified", coalesce(members.monitors, '[]') AS monitors,
  coalesce((SELECT team_ids FROM service_group_routing WHERE service_group_id = shown.id), '{}') AS "routedTeamIds"`;

const MEMBERS = `LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('id', monitor.id, 'name', monitor.name, 'url', monitor.url,
      'monitorTypes', monitor.monitor_types, 'monitoringStatus', monitor.monitoring_status,
      'healthStatus', state.health_status, 'knownUntilMs',
      (SELECT (extract(epoch FROM coalesce(max(fresh_until) FILTER (WHERE kind IN (${AVAILABILITY_CODES.join(', ')})), max(fresh_until))) * 1000)::bigint
       FROM series WHERE monitor_key = monitor.key AND conclusive_at IS NOT NULL)) ORDER BY monitor.key) AS monitors
    FROM monitor LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
    WHERE monitor.service_group_id = shown.id AND (monitor.deleted_at IS NULL OR monitor.buried_with = shown.id)
  ) members ON true`;

/** Service groups with the latest results of their monitors, by workspace. */
export const serviceGroupViewStore = {
  async find(workspaceId: string, tx: Tx, id: string): Promise<ServiceGroupViewRow | undefined> {
    return tx.one(
      `SELECT ${COLUMNS} FROM service_group shown ${MEMBERS}
       WHERE shown.workspace_id = $1 AND shown.id = $2 AND shown.deleted_at IS NULL`,
      [workspaceId, id],
    );
  },

  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    isDeleted: boolean,
    now: Date,
    page: Rows,
  ): Promise<ListPage<ServiceGroupViewRow>> {
    const matches = `workspace_id = $1 AND (deleted_at IS NOT NULL) = $2 AND (purge_at IS NULL OR purge_at > $3)`;
    const rows = await tx.query<ServiceGroupViewRow>(
      `SELECT ${COLUMNS} FROM (
         SELECT * FROM service_group WHERE ${matches} ORDER BY created DESC, id DESC LIMIT $4 OFFSET $5
       ) shown ${MEMBERS} ORDER BY shown.created DESC, shown.id DESC`,
      [workspaceId, isDeleted, now, page.limit, page.offset],
    );
    return {
      items: rows,
      total: await tx.value(`SELECT count(*) FROM service_group WHERE ${matches}`, [workspaceId, isDeleted, now]),
    };
  },
};
