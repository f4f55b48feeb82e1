import { OWNERSHIP_SHARDS } from '@watchpost/shared/ownership-shard';
import { HOME_REGION, type Place } from '@watchpost/shared/region';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import type { Tx } from '../../../platform/db/database.js';
import type { LimitOverrides, PlanName } from '../../plans/index.js';
import type { MonitorLocation } from './decide-coverage.js';
import type { MonitorSettings } from '../settings/monitor-settings.js';
import type { TypeSettings } from '../settings/type-settings-schemas.js';

/** The row from which the checks of a monitor are built; plan and owner are null where its workspace is deleted. */
export interface CheckSourceRow extends Pick<
  MonitorSettings,
  'url' | 'monitorTypes' | 'checkIntervalMs' | 'checkTimeoutMs' | 'enabledRegions' | 'homeRegion'
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
  /** The private locations that check it; null: none. */
  locations: MonitorLocation[] | null;
  plan: PlanName | null;
  planLimits: LimitOverrides | null;
}

const COLUMNS = `monitor.id, monitor.key, monitor.revision, monitor.url, monitor.monitor_types AS "monitorTypes",
  monitor.check_interval_ms AS "checkIntervalMs", monitor.check_timeout_ms AS "checkTimeoutMs",
  monitor.enabled_regions AS "enabledRegions", monitor.home_region AS "homeRegion",
  ${locationsOf('monitor')} AS locations, monitor.settings, monitor.secrets AS "sealedSecrets",
  monitor.checks_changed AS "checksChanged", plan.owner_id AS "ownerId", plan.plan, plan.plan_limits AS "planLimits",
  monitor.deleted_at IS NULL AND monitor.monitoring_status = 'enabled' AND NOT monitor.checks_held AND NOT EXISTS (
    SELECT FROM suspended_workspace closed WHERE closed.workspace_id = monitor.workspace_id) AS "isRun"`;
/** The private locations that check a monitor, as `MonitorLocation`s; null without any. */
export function locationsOf(table: 'monitor' | 'monitor_view'): string {
  return `CASE WHEN ${table}.private_locations <> '{}' THEN (
    SELECT json_agg(json_build_object('id', place.id, 'code', code) ORDER BY code) FROM private_location place
    WHERE place.workspace_id = ${table}.workspace_id AND place.code = ANY (${table}.private_locations)
      AND place.deleted_at IS NULL) END`;
}

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

  /** Enabled monitors of a place in these ownership shards: the index `monitor_shard_idx` has the same expression. */
  async inShards(tx: Tx, region: Place, shards: readonly number[]): Promise<WithHorizon> {
    return withHorizon(
      tx,
      `SELECT ${COLUMNS} FROM ${SOURCE}
       WHERE ${SHARD} = ANY ($1::bigint[]) AND monitor.deleted_at IS NULL AND monitor.monitoring_status = 'enabled'
         AND CASE WHEN $2 = '${HOME_REGION}' THEN monitor.home_region ELSE $2 = ANY (monitor.enabled_regions)
           OR (monitor.private_locations <> '{}' AND EXISTS (SELECT FROM private_location place
             WHERE place.id::text = $2 AND place.workspace_id = monitor.workspace_id
               AND place.code = ANY (monitor.private_locations) AND place.deleted_at IS NULL)) END
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
      keptStatements(tx),
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
