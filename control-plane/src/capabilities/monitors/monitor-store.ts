import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import { siteOfUrl } from './checks/registrable-domain.js';
import { matchingMonitors, type MonitorFilter } from './monitor-filter.js';
import { placesOfWorkspace } from '../locations/index.js';
import { purgedRevisionStore } from './purged-revision-store.js';
import { changedGroups, DEFAULT_SETTINGS, type MonitorSettings } from './settings/monitor-settings.js';

export interface MonitorRow extends MonitorSettings {
  id: string;
  key: number;
  sealedSecrets: Buffer | null;
  created: Date;
  lastModified: Date;
  checksChanged: Date;
}

export function settingsOf(row: MonitorRow): MonitorSettings {
  const { name, url } = row;
  const others = Object.keys(DEFAULT_SETTINGS) as (keyof typeof DEFAULT_SETTINGS)[];
  return {
    name,
    url,
    ...(Object.fromEntries(others.map((property) => [property, row[property]])) as typeof DEFAULT_SETTINGS),
  };
}

/** The settings that have a column, by which SQL filters or which it reads; all others are in the column `settings`. */
const SETTINGS = {
  name: 'name',
  url: 'url',
  monitorTypes: 'monitor_types',
  monitoringStatus: 'monitoring_status',
  checkIntervalMs: 'check_interval_ms',
  checkTimeoutMs: 'check_timeout_ms',
  numberOfChecksBeforeAlert: 'checks_before_alert',
  numberOfChecksBeforeRecovery: 'checks_before_recovery',
  enabledRegions: 'enabled_regions',
  homeRegion: 'home_region',
  privateLocations: 'private_locations',
  serviceGroupId: 'service_group_id',
  teamId: 'team_id',
  tags: 'tags',
  reporting: 'reporting',
  heartbeat: 'heartbeat',
  dependsOn: 'depends_on',
} as const satisfies Partial<Record<keyof MonitorSettings, string>>;
const { name: _name, url: _url, heartbeat: _heartbeat, dependsOn: _dependsOn, ...BULK_SETTINGS } = SETTINGS;
export type MatchingMonitor = Pick<MonitorRow, 'id' | 'key' | 'name' | keyof typeof BULK_SETTINGS>;
const UNLISTED = (Object.keys(DEFAULT_SETTINGS) as (keyof typeof DEFAULT_SETTINGS)[]).filter(
  (property) => !Object.hasOwn(SETTINGS, property),
);
/**
 * Without monitors that are deleted. The column has them until the next change, because they may be restored. Most monitors
 * depend on none, so they are joined with no others: that costs more than the rest of the row.
 */
const dependsOnOf = (table: string, column: string) => `CASE WHEN ${column} = '{}' THEN '{}'::uuid[]
  ELSE ARRAY(SELECT cause_id FROM monitor_dependency WHERE monitor_id = ${table}.id ORDER BY cause_id) END`;
/** The column has the codes of locations, which stay when a slug changes. */
const locationsOf = (table: string) => `CASE WHEN ${table}.private_locations = '{}' THEN '{}'::text[]
  ELSE ARRAY(SELECT slug FROM private_location place WHERE place.workspace_id = ${table}.workspace_id
    AND place.code = ANY (${table}.private_locations) AND place.deleted_at IS NULL ORDER BY slug COLLATE "C") END`;
/** The columns that a change writes, by property; beside them, those that `columnsOf` makes. */
const WRITTEN = {
  ...SETTINGS,
  sealedSecrets: 'secrets',
  lastModified: 'last_modified',
  checksChanged: 'checks_changed',
} as const;
const WRITTEN_COLUMNS = ['site', 'settings', ...Object.values(WRITTEN)];

const settingsColumns = (table: string, dependsOn: string) =>
  [
    'settings',
    ...Object.entries({ ...SETTINGS, dependsOn, privateLocations: locationsOf(table) }).map(
      ([property, column]) => `${column} AS "${property}"`,
    ),
  ].join(', ');

/** A row as it is stored: the settings without a column are one, and not all of them may be there. */
export type Stored<Row extends MonitorSettings> = Omit<Row, keyof MonitorSettings> &
  Pick<Row, keyof typeof SETTINGS> & { settings: Partial<MonitorSettings> };

export function readStored<Row extends MonitorSettings>(rows: readonly Stored<Row>[]): Row[] {
  return rows.map(({ settings, ...row }) => {
    const known = { ...settings, ...row };
    return { ...DEFAULT_SETTINGS, ...known, ...changedGroups(known) } as unknown as Row;
  });
}

/** The settings of `monitor_view`, which does not have the column. */
export const VIEW_SETTINGS_COLUMNS = settingsColumns(
  'monitor_view',
  dependsOnOf('monitor_view', '(SELECT depends_on FROM monitor WHERE monitor.key = monitor_view.key)'),
);

const ROW_COLUMNS = `id, key, secrets AS "sealedSecrets", created, last_modified AS "lastModified",
  checks_changed AS "checksChanged", ${settingsColumns('monitor', dependsOnOf('monitor', 'monitor.depends_on'))}`;

/** A row by its columns, as `jsonb_populate_recordset` reads it. */
function columnsOf(row: Omit<MonitorRow, 'key'>, codes: ReadonlyMap<string, number>): Record<string, unknown> {
  const columns = Object.entries(WRITTEN).map(([property, column]): [string, unknown] => {
    return [column, row[property as keyof typeof WRITTEN]];
  });
  return {
    ...Object.fromEntries(columns),
    id: row.id,
    private_locations: row.privateLocations.flatMap((slug) => codes.get(slug) ?? []).toSorted((a, b) => a - b),
    site: siteOfUrl(row.url),
    settings: Object.fromEntries(UNLISTED.map((property) => [property, row[property]])),
    created: row.created,
    secrets: row.sealedSecrets && `\\x${row.sealedSecrets.toString('hex')}`,
  };
}

/** The codes of the locations that these monitors name, by slug. */
async function codesOf(
  workspaceId: string,
  tx: Tx,
  rows: readonly Pick<MonitorRow, 'privateLocations'>[],
): Promise<ReadonlyMap<string, number>> {
  if (rows.every(({ privateLocations }) => privateLocations.length === 0)) return new Map();
  return new Map((await placesOfWorkspace(tx, workspaceId)).map(({ slug, code }) => [slug, code]));
}

export const monitorStore = {
  /** The number of an owner's monitors over all workspaces, paused ones included, as the plan's limit counts them. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM monitor JOIN workspace ON workspace.id = monitor.workspace_id
       WHERE workspace.owner_id = $1 AND monitor.deleted_at IS NULL`,
      [ownerId],
    );
  },

  /** @returns the keys assigned by the database, by id */
  async insert(
    workspaceId: string,
    tx: Tx,
    rows: readonly Omit<MonitorRow, 'key'>[],
  ): Promise<ReadonlyMap<string, number>> {
    const codes = await codesOf(workspaceId, tx, rows);
    const inserted = await keptStatements(tx).query<{ id: string; key: number }>(
      `INSERT INTO monitor (workspace_id, id, created, ${WRITTEN_COLUMNS.join(', ')})
       SELECT $1, id, created, ${WRITTEN_COLUMNS.join(', ')} FROM jsonb_populate_recordset(NULL::monitor, $2) RETURNING id, key`,
      [workspaceId, jsonText(rows.map((row) => columnsOf(row, codes)))],
    );
    return new Map(inserted.map(({ id, key }) => [id, key]));
  },

  /** Finds a live monitor and locks it until the transaction ends. */
  async lock(workspaceId: string, tx: Tx, id: string): Promise<MonitorRow | undefined> {
    return (await this.lockAll(workspaceId, tx, [id]))[0];
  },

  async all(workspaceId: string, tx: Tx): Promise<MonitorRow[]> {
    return readStored(
      await tx.query<Stored<MonitorRow>>(
        `SELECT ${ROW_COLUMNS} FROM monitor WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY created, id`,
        [workspaceId],
      ),
    );
  },

  /** Locks those of these monitors that are not deleted, in the order of their keys. */
  async lockAll(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<MonitorRow[]> {
    return readStored(
      await tx.query<Stored<MonitorRow>>(
        `SELECT ${ROW_COLUMNS} FROM monitor WHERE workspace_id = $1 AND id = ANY ($2) AND deleted_at IS NULL
         ORDER BY key FOR NO KEY UPDATE`,
        [workspaceId, ids],
      ),
    );
  },

  /**
   * Locks the monitors that match a filter, in the order of their keys. One that no longer matches once it is locked is left
   * out.
   */
  async lockMatching(
    workspaceId: string,
    tx: Tx,
    filter: MonitorFilter,
    now: Date,
    limit: number,
  ): Promise<MonitorRow[]> {
    const values: unknown[] = [workspaceId];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const from = matchingMonitors(filter, now, parameter);
    return readStored(
      await tx.query<Stored<MonitorRow>>(
        `SELECT ${ROW_COLUMNS} ${from} ORDER BY monitor.key LIMIT ${parameter(limit)} FOR NO KEY UPDATE OF monitor`,
        values,
      ),
    );
  },

  /** The monitors that match a filter, in the order of their keys, with the settings that bulk changes are about. */
  async matching(
    workspaceId: string,
    tx: Tx,
    filter: MonitorFilter,
    now: Date,
    limit: number,
  ): Promise<MatchingMonitor[]> {
    const values: unknown[] = [workspaceId];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const from = matchingMonitors(filter, now, parameter);
    const columns = Object.entries({ ...BULK_SETTINGS, privateLocations: locationsOf('monitor') });
    return tx.query(
      `SELECT monitor.id, monitor.key, monitor.name, ${columns.map(([property, column]) => `${column} AS "${property}"`).join(', ')}
       ${from} ORDER BY monitor.key LIMIT ${parameter(limit)}`,
      values,
    );
  },

  /** The number of these monitors that are not deleted, locked against deletion until the transaction ends. */
  async countHeld(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<number> {
    const rows = await tx.query(
      `SELECT 1 FROM monitor WHERE workspace_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY key FOR SHARE`,
      [workspaceId, ids],
    );
    return rows.length;
  },

  /** Writes monitors that the caller has locked. */
  async update(workspaceId: string, tx: Tx, rows: readonly MonitorRow[]): Promise<void> {
    const codes = await codesOf(workspaceId, tx, rows);
    await keptStatements(tx).execute(
      `UPDATE monitor SET (${WRITTEN_COLUMNS.join(', ')}) = (${WRITTEN_COLUMNS.map((column) => `changed.${column}`).join(', ')})
       FROM jsonb_populate_recordset(NULL::monitor, $2) AS changed
       WHERE monitor.workspace_id = $1 AND monitor.id = changed.id`,
      [workspaceId, jsonText(rows.map((row) => columnsOf(row, codes)))],
    );
  },

  async atLocation(workspaceId: string, tx: Tx, slug: string): Promise<{ id: string; name: string }[]> {
    return tx.query(
      `SELECT monitor.id, monitor.name FROM monitor JOIN private_location place
         ON place.workspace_id = monitor.workspace_id AND place.code = ANY (monitor.private_locations)
       WHERE monitor.workspace_id = $1 AND place.slug = $2 AND place.deleted_at IS NULL AND monitor.deleted_at IS NULL
       ORDER BY monitor.name, monitor.id`,
      [workspaceId, slug],
    );
  },

  async countOpenIncidents(workspaceId: string, tx: Tx, keys: readonly number[]): Promise<number> {
    if (keys.length === 0) return 0;
    return tx.value(
      'SELECT count(*)::integer AS count FROM incident WHERE workspace_id = $1 AND monitor_key = ANY ($2) AND NOT is_closed',
      [workspaceId, keys],
    );
  },

  /** Writes status and tags of many monitors, and when they and their checks changed. */
  async updateAll(workspaceId: string, tx: Tx, rows: readonly MonitorRow[]): Promise<void> {
    await tx.query(
      `UPDATE monitor SET monitoring_status = change."monitoringStatus", tags = change.tags,
         last_modified = change."lastModified", checks_changed = change."checksChanged"
       FROM jsonb_to_recordset($2) AS change (key bigint, "monitoringStatus" text, tags text[], "lastModified" timestamptz,
         "checksChanged" timestamptz)
       WHERE monitor.workspace_id = $1 AND monitor.key = change.key`,
      [
        workspaceId,
        jsonText(
          rows.map(({ key, monitoringStatus, tags, lastModified, checksChanged }) => {
            return { key, monitoringStatus, tags, lastModified, checksChanged };
          }),
        ),
      ],
    );
  },

  /**
   * Holds or releases the checks of monitors. Released ones are due at once.
   * @returns those that were not so already, in the order of their keys
   */
  async hold(
    workspaceId: string,
    tx: Tx,
    keys: readonly number[],
    isHeld: boolean,
    now: Date,
  ): Promise<{ id: string; key: number; isEnabled: boolean }[]> {
    const rows = await tx.query<{ id: string; key: number; isEnabled: boolean }>(
      `WITH held AS (
         SELECT key FROM monitor WHERE workspace_id = $1 AND key = ANY ($2) AND checks_held <> $3 AND deleted_at IS NULL
         ORDER BY key FOR NO KEY UPDATE
       )
       UPDATE monitor SET checks_held = $3,
         checks_changed = CASE WHEN $3 THEN checks_changed ELSE greatest($4, checks_changed + interval '1 ms') END
       FROM held WHERE monitor.key = held.key
       RETURNING id, monitor.key, monitoring_status = 'enabled' AS "isEnabled"`,
      [workspaceId, keys, isHeld, now],
    );
    return rows.toSorted((a, b) => a.key - b.key);
  },

  /** Leaves tombstones without the secrets, until every agent has received the removal. */
  async bury(workspaceId: string, tx: Tx, ids: readonly string[], at: Date): Promise<void> {
    await tx.query(
      `UPDATE monitor SET deleted_at = $3, last_modified = $3, secrets = NULL
       WHERE workspace_id = $1 AND id = ANY ($2)`,
      [workspaceId, ids, at],
    );
  },
};

/** Tombstones of all workspaces, for the service's own housekeeping. */
export const tombstoneStore = {
  /** Without monitors that can be restored with their group. */
  async due(tx: Tx, buriedBefore: Date, limit: number): Promise<number[]> {
    return tx.column(
      'SELECT key FROM monitor WHERE deleted_at < $1 AND buried_with IS NULL ORDER BY deleted_at LIMIT $2',
      [buriedBefore, limit],
    );
  },

  /** @returns the number of purged monitors */
  async remove(tx: Tx, keys: readonly number[]): Promise<number> {
    const purged = await tx.query<{ revision: number }>(
      'DELETE FROM monitor WHERE key = ANY ($1) AND deleted_at IS NOT NULL RETURNING revision',
      [keys],
    );
    await purgedRevisionStore.note(tx, purged);
    return purged.length;
  },
};
