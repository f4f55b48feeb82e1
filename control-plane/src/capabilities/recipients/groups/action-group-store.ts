import { type ManagedBy, managedByColumn } from '../../../platform/documents/managed-by.js';
import type { ListPage, Rows, Tx } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { columnsOf } from '../../../platform/db/columns.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { GroupSettings } from '../../group-settings/index.js';
import type { RecipientStatus } from '../../delivery/index.js';
import { ActionGroupEntity } from './action-group.entity.js';

type Hidden = 'workspaceId' | 'secrets' | 'formerSecret' | 'formerSecretUntil';

export interface ActionGroupRow extends Omit<ActionGroupEntity, Hidden | 'settings'> {
  settings: GroupSettings;
}

export type SealedGroupRow = ActionGroupRow & Pick<ActionGroupEntity, 'secrets'>;

export interface CountedGroupRow extends ActionGroupRow {
  monitorCount: number;
  managedBy: ManagedBy;
  /** The recipients that are neither verified members nor confirmed. */
  unconfirmed: (RecipientStatus & { address: string })[];
}

export interface GroupFilter {
  type?: ActionGroupType | undefined;
  monitorKey?: number | undefined;
}

const COLUMNS = columnsOf(ActionGroupEntity, {
  from: 'g',
  without: ['workspaceId', 'secrets', 'formerSecret', 'formerSecretUntil'],
});
/** Monitors are counted by the index of their tags: `group_attachment` would read all of the workspace for each group. */
const COUNTED = `SELECT ${COLUMNS}, ${managedByColumn('actionGroups', 'g')},
    CASE WHEN g.attach_all
      THEN (SELECT count(*) FROM monitor m WHERE m.workspace_id = g.workspace_id AND m.deleted_at IS NULL)
      ELSE (SELECT count(*) FROM (
        SELECT m.key FROM unnest(g.attach_tags) AS tag JOIN monitor m
          ON array_prepend(m.workspace_id::text, m.tags) @> ARRAY[g.workspace_id::text, tag] AND m.tags <> '{}'
        WHERE m.deleted_at IS NULL
        UNION SELECT m.key FROM action_group_monitor own JOIN monitor m ON m.key = own.monitor_key
        WHERE own.group_id = g.id AND m.deleted_at IS NULL) AS attached) END AS "monitorCount",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('address', r.address, 'isPaid', r.is_paid, 'isMember', r.is_member,
         'isConfirmed', r.is_confirmed, 'isRefused', r.is_refused) ORDER BY r.position), '[]')
     FROM group_recipient r
     WHERE r.group_id = g.id AND NOT r.is_member AND (r.is_refused OR NOT r.is_confirmed)) AS unconfirmed
  FROM action_group g`;
/** Asks for a monitor only where one is given: planning that takes longer than all the rest. */
const whereOf = ({ monitorKey }: GroupFilter) => `g.workspace_id = $1 AND ($2::text IS NULL OR g.type = $2)
  AND ${
    monitorKey === undefined
      ? '$3::bigint IS NULL'
      : 'EXISTS (SELECT FROM group_attachment own WHERE own.group_id = g.id AND own.monitor_key = $3)'
  }`;

const filterValues = ({ type, monitorKey }: GroupFilter) => [type ?? null, monitorKey ?? null];

export const actionGroupStore = {
  /** Counts the groups of an owner over all workspaces, as the limits of the plan do. */
  async countOfOwner(ownerId: string, tx: Tx, types: readonly ActionGroupType[]): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM action_group g JOIN workspace w ON w.id = g.workspace_id
       WHERE w.owner_id = $1 AND g.type = ANY ($2::text[])`,
      [ownerId, types],
    );
  },

  /** All groups of the workspace with their secrets, oldest first. */
  async all(workspaceId: string, tx: Tx): Promise<SealedGroupRow[]> {
    return tx.query<SealedGroupRow>(
      `SELECT ${COLUMNS}, g.secrets FROM action_group g WHERE g.workspace_id = $1 ORDER BY g.created, g.id`,
      [workspaceId],
    );
  },

  /** Newest first. */
  async list(workspaceId: string, tx: Tx, filter: GroupFilter, page: Rows): Promise<ListPage<CountedGroupRow>> {
    const rows = await tx.query<CountedGroupRow>(
      `${COUNTED} WHERE ${whereOf(filter)} ORDER BY g.created DESC, g.id DESC LIMIT $4 OFFSET $5`,
      [workspaceId, ...filterValues(filter), page.limit, page.offset],
    );
    return {
      items: rows,
      total: await tx.value(`SELECT count(*) FROM action_group g WHERE ${whereOf(filter)}`, [
        workspaceId,
        ...filterValues(filter),
      ]),
    };
  },

  async find(workspaceId: string, tx: Tx, id: string, filter: GroupFilter = {}): Promise<CountedGroupRow | undefined> {
    return keptStatements(tx).one(`${COUNTED} WHERE ${whereOf(filter)} AND g.id = $4`, [
      workspaceId,
      ...filterValues(filter),
      id,
    ]);
  },

  /**
   * Locks a group until the transaction ends. Use a later statement to read the count of its monitors, because a
   * statement does not see what was committed while it waited for the lock.
   */
  async lock(
    workspaceId: string,
    tx: Tx,
    id: string,
    filter: GroupFilter = {},
    strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
  ): Promise<SealedGroupRow | undefined> {
    return keptStatements(tx).one(
      `SELECT ${COLUMNS}, g.secrets FROM action_group g WHERE ${whereOf(filter)} AND g.id = $4 FOR ${strength}`,
      [workspaceId, ...filterValues(filter), id],
    );
  },

  async insert(workspaceId: string, tx: Tx, row: SealedGroupRow): Promise<void> {
    await tx.manager.insert(ActionGroupEntity, { ...row, workspaceId });
  },

  async update(workspaceId: string, tx: Tx, row: SealedGroupRow): Promise<void> {
    const { id, name, isEnabled, attachTags, attachAll, settings, rules, secrets, lastModified } = row;
    await tx.manager.update(
      ActionGroupEntity,
      { workspaceId, id },
      { name, isEnabled, attachTags, attachAll, settings, rules, secrets, lastModified },
    );
  },

  /** Stores the former signing secret, and until when it also signs. */
  async keepFormerSecret(workspaceId: string, tx: Tx, id: string, formerSecret: Buffer, until: Date): Promise<void> {
    await tx.manager.update(ActionGroupEntity, { workspaceId, id }, { formerSecret, formerSecretUntil: until });
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(ActionGroupEntity, { workspaceId, id });
  },
};

/** The former secrets of all workspaces. */
export const formerSecretStore = {
  async purge(tx: Tx, before: Date): Promise<void> {
    await tx.query(
      'UPDATE action_group SET former_secret = NULL, former_secret_until = NULL WHERE former_secret_until <= $1',
      [before],
    );
  },
};

export const calledGroupStore = {
  /** Finds a group of any workspace: the caller does not know the workspace, and proves itself by the secrets of the group. */
  async find(tx: Tx, id: string): Promise<(SealedGroupRow & { workspaceId: string }) | undefined> {
    return tx.one(`SELECT ${COLUMNS}, g.secrets, g.workspace_id AS "workspaceId" FROM action_group g WHERE g.id = $1`, [
      id,
    ]);
  },
};
