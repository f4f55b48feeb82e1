import { OWNERSHIP_SHARDS } from '@watchpost/shared/ownership-shard';
import { HOME_REGION, type Place } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { LimitOverrides, PlanName } from '../../plans/index.js';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import type { TypeSettings } from '../settings/type-settings-schemas.js';

/** The row from which the checks of a monitor are built; plan and owner are null where its workspace is deleted. */
export interface CheckSourceRow extends Pick<
  MonitorSettings,
  'url' | 'monitorTypes' | 'checkIntervalMs' | 'checkTimeoutMs' | 'enabledRegions'
> {
  id: string;
  key: number;
  revision: number;
  isRun: boolean;
  /** As stored: what is not here has its default. */
  settings: Partial<TypeSettings>;
  sealedSecrets: Buffer | null;
  checksChanged: Date;
  ownerId: string | null;
  plan: PlanName | null;
  planLimits: LimitOverrides | null;
}

const COLUMNS = `monitor.id, monitor.key, monitor.revision, monitor.url, monitor.monitor_types AS "monitorTypes",
  monitor.check_interval_ms AS "checkIntervalMs", monitor.check_timeout_ms AS "checkTimeoutMs",
  monitor.enabled_regions AS "enabledRegions", monitor.settings, monitor.secrets AS "sealedSecrets",
  monitor.checks_changed AS "checksChanged", plan.owner_id AS "ownerId", plan.plan, plan.plan_limits AS "planLimits",
  monitor.deleted_at IS NULL AND monitor.monitoring_status = 'enabled' AND NOT monitor.checks_held AND NOT EXISTS (
    SELECT FROM suspended_workspace closed WHERE closed.workspace_id = monitor.workspace_id) AS "isRun"`;
const SOURCE = 'monitor LEFT JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id';

/** The ownership shard of a monitor, by which the fleet divides checks among agents. */
const SHARD = `(monitor.key % ${OWNERSHIP_SHARDS})`;

/**
 * The oldest transaction that was running when the statement's snapshot was taken. Older transactions have ended and are in
 * the snapshot; transactions that commit later have this revision or a higher one.
 */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/**
 * Rows that the transaction `$1` or a later one wrote. Revisions that no transaction of this server has yet are of another
 * numbering: they were restored from a dump, and nothing has changed since.
 */
export const WRITTEN_SINCE = 'revision >= $1 AND revision < pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

interface WithHorizon {
  rows: CheckSourceRow[];
  horizon: number;
  /** The newest revision of a purged monitor; 0: none was purged, or only before a restore into a new server. */
  purged: number;
}

/** Monitors of all workspaces, for the fleet. */
export const checkSourceStore = {
  async find(tx: Tx, monitorKey: number): Promise<CheckSourceRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM ${SOURCE} WHERE monitor.key = $1`, [monitorKey]);
  },

  /** Enabled monitors of a region in these ownership shards: the index `monitor_shard_idx` has the same expression. */
  async inShards(tx: Tx, region: Place, shards: readonly number[]): Promise<WithHorizon> {
    return withHorizon(
      tx,
      `SELECT ${COLUMNS} FROM ${SOURCE}
       WHERE ${SHARD} = ANY ($1::bigint[]) AND monitor.deleted_at IS NULL AND monitor.monitoring_status = 'enabled'
         AND ($2 = '${HOME_REGION}' OR $2 = ANY (monitor.enabled_regions))
       ORDER BY monitor.key`,
      [shards, region],
    );
  },

  async keysInShards(tx: Tx, shards: readonly number[]): Promise<number[]> {
    return tx.column(`SELECT monitor.key FROM monitor WHERE ${SHARD} = ANY ($1::bigint[])`, [shards]);
  },

  /** Monitors written by the transaction `since` or a later one. All of the last transaction are included, so that a revision is never split. */
  async changed(tx: Tx, since: number, limit: number | null): Promise<WithHorizon> {
    return withHorizon(
      tx,
      limit === null
        ? `SELECT ${COLUMNS} FROM ${SOURCE} WHERE ${WRITTEN_SINCE} ORDER BY monitor.revision`
        : `SELECT ${COLUMNS} FROM ${SOURCE} WHERE ${WRITTEN_SINCE}
           ORDER BY monitor.revision FETCH FIRST $2 ROWS WITH TIES`,
      limit === null ? [since] : [since, limit],
    );
  },
};

/** Reads the horizon in the same snapshot as the rows, also where there are none. */
async function withHorizon(tx: Tx, select: string, values: readonly unknown[]): Promise<WithHorizon> {
  const rows = await tx.query<CheckSourceRow & { horizon: number; purged: number }>(
    `SELECT found.*, ${HORIZON} AS horizon,
       coalesce((SELECT revision FROM purged_revision WHERE revision <= ${HORIZON}), 0) AS purged FROM (SELECT) AS always LEFT JOIN (${select}) AS found ON true`,
    values,
  );
  const { horizon, purged } = rows[0]!;
  return { rows: rows.filter((row) => row.key !== null), horizon, purged };
}
