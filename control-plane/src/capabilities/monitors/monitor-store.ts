import type { Tx } from '../../platform/db/database.js';
import { siteOfUrl } from './checks/registrable-domain.js';
import type { MonitorSettings } from './settings/monitor-settings.js';

export interface MonitorRow extends MonitorSettings {
  id: string;
  key: number;
  httpSecrets: Buffer | null;
  created: Date;
  lastModified: Date;
  checksChanged: Date;
}

/** The columns of a monitor's settings by property name; `monitor_view` has the same columns. */
export const SETTINGS_COLUMNS = `name, url, monitor_types AS "monitorTypes", monitoring_status AS "monitoringStatus",
  check_interval_ms AS "checkIntervalMs", check_timeout_ms AS "checkTimeoutMs",
  checks_before_alert AS "numberOfChecksBeforeAlert", checks_before_recovery AS "numberOfChecksBeforeRecovery",
  enabled_regions AS "enabledRegions", service_group_id AS "serviceGroupId", reporting, http, ssl, latency, dns,
  tcp_udp AS "tcpUdp"`;

const WRITTEN = `name, url, site, monitor_types, monitoring_status, check_interval_ms, check_timeout_ms, checks_before_alert,
  checks_before_recovery, enabled_regions, service_group_id, reporting, http, ssl, latency, dns, tcp_udp, http_secrets,
  last_modified, checks_changed`;

function written(row: Omit<MonitorRow, 'key'>): unknown[] {
  return [
    row.name,
    row.url,
    siteOfUrl(row.url),
    row.monitorTypes,
    row.monitoringStatus,
    row.checkIntervalMs,
    row.checkTimeoutMs,
    row.numberOfChecksBeforeAlert,
    row.numberOfChecksBeforeRecovery,
    row.enabledRegions,
    row.serviceGroupId,
    JSON.stringify(row.reporting),
    JSON.stringify(row.http),
    JSON.stringify(row.ssl),
    JSON.stringify(row.latency),
    JSON.stringify(row.dns),
    JSON.stringify(row.tcpUdp),
    row.httpSecrets,
    row.lastModified,
    row.checksChanged,
  ];
}

/** The configuration of monitors, by workspace. */
export const monitorStore = {
  /** The number of an owner's monitors over all workspaces, paused ones included, as the plan's limit counts them. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*) AS count FROM monitor JOIN workspace ON workspace.id = monitor.workspace_id
       WHERE workspace.owner_id = $1 AND monitor.deleted_at IS NULL`,
      [ownerId],
    );
    return row!.count;
  },

  /** @returns the key assigned by the database */
  async insert(workspaceId: string, tx: Tx, row: Omit<MonitorRow, 'key'>): Promise<number> {
    const values = written(row);
    const [inserted] = await tx.query<{ key: number }>(
      `INSERT INTO monitor (workspace_id, id, created, ${WRITTEN})
       VALUES ($1, $2, $3, ${values.map((_, index) => `$${index + 4}`).join(', ')}) RETURNING key`,
      [workspaceId, row.id, row.created, ...values],
    );
    return inserted!.key;
  },

  /** Finds a live monitor and locks it until the transaction ends. */
  async lock(workspaceId: string, tx: Tx, id: string): Promise<MonitorRow | undefined> {
    const [row] = await tx.query<MonitorRow>(
      `SELECT id, key, http_secrets AS "httpSecrets", created, last_modified AS "lastModified",
         checks_changed AS "checksChanged", ${SETTINGS_COLUMNS}
       FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [workspaceId, id],
    );
    return row;
  },

  /** The number of these monitors that are not deleted, locked against deletion until the transaction ends. */
  async countHeld(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<number> {
    const rows = await tx.query(
      `SELECT 1 FROM monitor WHERE workspace_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY key FOR SHARE`,
      [workspaceId, ids],
    );
    return rows.length;
  },

  async update(workspaceId: string, tx: Tx, row: MonitorRow): Promise<void> {
    const values = written(row);
    await tx.query(
      `UPDATE monitor SET (${WRITTEN}) = (${values.map((_, index) => `$${index + 3}`).join(', ')})
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, row.id, ...values],
    );
  },

  /** Leaves a tombstone without the secrets, until every agent has received the removal. */
  async bury(workspaceId: string, tx: Tx, id: string, at: Date): Promise<void> {
    await tx.query(
      `UPDATE monitor SET deleted_at = $3, last_modified = $3, http_secrets = NULL WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, at],
    );
  },
};

/** Tombstones of all workspaces, for the service's own housekeeping. */
export const tombstoneStore = {
  /** Without monitors that can be restored with their group. */
  async due(tx: Tx, buriedBefore: Date, limit: number): Promise<number[]> {
    const rows = await tx.query<{ key: number }>(
      'SELECT key FROM monitor WHERE deleted_at < $1 AND buried_with IS NULL ORDER BY deleted_at LIMIT $2',
      [buriedBefore, limit],
    );
    return rows.map(({ key }) => key);
  },

  /** @returns the number of purged monitors */
  async remove(tx: Tx, keys: readonly number[]): Promise<number> {
    return tx.execute('DELETE FROM monitor WHERE key = ANY ($1) AND deleted_at IS NOT NULL', [keys]);
  },
};
