import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import { Fault } from '@watchpost/shared/fault';
import { databaseErrorOf, UNIQUE_VIOLATION } from '../../platform/db/database-error.js';
import { jsonText } from '../../platform/db/json-text.js';
import type { Tx } from '../../platform/db/database.js';
import type { Banner, OverrideStatus, Theme } from './status-page-schemas.js';

export interface StatusPageRow {
  id: string;
  name: string;
  slug: string;
  description: string;
  isPublished: boolean;
  showIncidentHistory: boolean;
  notifyIncidents: boolean;
  theme: Theme;
  banner: Banner | null;
  groupNames: string[];
  created: Date;
  lastModified: Date;
}

export interface ShownPageRow extends StatusPageRow {
  managedBy: ManagedBy;
}

export interface SystemRow {
  id: string;
  groupIndex: number;
  place: number;
  name: string;
  monitorId: string | null;
  serviceGroupId: string | null;
  overrideStatus: OverrideStatus | null;
  overrideMessage: string | null;
}

const COLUMNS = `id, name, slug, description, is_published AS "isPublished",
  show_incident_history AS "showIncidentHistory", notify_incidents AS "notifyIncidents", theme, banner, group_names AS "groupNames", created,
  last_modified AS "lastModified"`;
const MANAGED = managedByColumn('statusPages', 'status_page');
const SYSTEM = `id, group_index AS "groupIndex", place, name, monitor_id AS "monitorId",
  service_group_id AS "serviceGroupId", override_status AS "overrideStatus", override_message AS "overrideMessage"`;
const WRITTEN = `name, slug, description, is_published, show_incident_history, notify_incidents, theme, banner,
  group_names, last_modified`;

function written(row: StatusPageRow): unknown[] {
  const { name, slug, description, isPublished, showIncidentHistory, notifyIncidents } = row;
  const { theme, banner, groupNames, lastModified } = row;
  const bannerJson = banner === null ? null : jsonText(banner);
  return [
    name,
    slug,
    description,
    isPublished,
    showIncidentHistory,
    notifyIncidents,
    theme,
    bannerJson,
    groupNames,
    lastModified,
  ];
}

/** The configuration of status pages, by workspace. */
export const statusPageStore = {
  /** The number of an owner's status pages over all workspaces. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*) AS count FROM status_page JOIN workspace ON workspace.id = status_page.workspace_id
       WHERE workspace.owner_id = $1`,
      [ownerId],
    );
    return row!.count;
  },

  /** @throws Fault slug_taken */
  async insert(workspaceId: string, tx: Tx, row: StatusPageRow): Promise<void> {
    await unlessSlugTaken(
      tx.query(
        `INSERT INTO status_page (workspace_id, id, created, ${WRITTEN})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [workspaceId, row.id, row.created, ...written(row)],
      ),
    );
  },

  /** @throws Fault slug_taken */
  async update(workspaceId: string, tx: Tx, row: StatusPageRow): Promise<void> {
    await unlessSlugTaken(
      tx.query(
        `UPDATE status_page SET (${WRITTEN}) = ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12) WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, row.id, ...written(row)],
      ),
    );
  },

  async find(
    workspaceId: string,
    tx: Tx,
    id: string,
    lock: 'FOR NO KEY UPDATE' | '' = '',
  ): Promise<ShownPageRow | undefined> {
    const [row] = await tx.query<ShownPageRow>(
      `SELECT ${COLUMNS}, ${MANAGED} FROM status_page WHERE workspace_id = $1 AND id = $2 ${lock}`,
      [workspaceId, id],
    );
    return row;
  },

  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    page: { limit: number; offset: number },
  ): Promise<{ rows: ShownPageRow[]; total: number }> {
    const rows = await tx.query<ShownPageRow>(
      `SELECT ${COLUMNS}, ${MANAGED} FROM status_page WHERE workspace_id = $1 ORDER BY created DESC, id DESC LIMIT $2 OFFSET $3`,
      [workspaceId, page.limit, page.offset],
    );
    const [count] = await tx.query<{ total: number }>(
      'SELECT count(*) AS total FROM status_page WHERE workspace_id = $1',
      [workspaceId],
    );
    return { rows, total: count!.total };
  },

  /** The systems of these pages whose monitor or group exists, by page, in order. */
  async systems(workspaceId: string, tx: Tx, pageIds: readonly string[]): Promise<Map<string, SystemRow[]>> {
    const rows = await tx.query<SystemRow & { pageId: string }>(
      `SELECT page_id AS "pageId", ${SYSTEM} FROM status_page_shown_system
       WHERE workspace_id = $1 AND page_id = ANY ($2) ORDER BY page_id, group_index, place`,
      [workspaceId, pageIds],
    );
    const byPage = new Map<string, SystemRow[]>(pageIds.map((id) => [id, []]));
    for (const { pageId, ...row } of rows) byPage.get(pageId)!.push(row);
    return byPage;
  },

  /** All systems of a page, including those that are not shown. */
  async allSystems(workspaceId: string, tx: Tx, pageId: string): Promise<SystemRow[]> {
    return tx.query<SystemRow>(
      `SELECT ${SYSTEM} FROM status_page_system WHERE workspace_id = $1 AND page_id = $2 ORDER BY group_index, place`,
      [workspaceId, pageId],
    );
  },

  async replaceSystems(workspaceId: string, tx: Tx, pageId: string, systems: readonly SystemRow[]): Promise<void> {
    await tx.query('DELETE FROM status_page_system WHERE workspace_id = $1 AND page_id = $2', [workspaceId, pageId]);
    await tx.query(
      `INSERT INTO status_page_system (workspace_id, page_id, id, group_index, place, name, monitor_id,
         service_group_id, override_status, override_message)
       SELECT $1, $2, id, "groupIndex", place, name, "monitorId", "serviceGroupId", "overrideStatus", "overrideMessage"
       FROM jsonb_to_recordset($3) AS system (id uuid, "groupIndex" smallint, place smallint, name text,
         "monitorId" uuid, "serviceGroupId" uuid, "overrideStatus" text, "overrideMessage" text)`,
      [workspaceId, pageId, jsonText(systems)],
    );
  },

  /** @returns whether it existed */
  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.query('DELETE FROM status_page WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
  },
};

/** The unique index decides between concurrent requests for the same slug. */
async function unlessSlugTaken(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error) ?? {};
    if (code !== UNIQUE_VIOLATION || constraint !== 'status_page_slug_key') throw error;
    const message = 'is the address of another status page';
    throw new Fault('slug_taken', 'Choose another slug: this one is taken.', [{ path: 'slug', message }]);
  }
}
