import type { MonitorType } from '@watchpost/shared/monitor-types';
import { IsNull, MoreThan } from 'typeorm';
import { columnsOf } from '../../../platform/db/columns.js';
import type { Tx } from '../../../platform/db/database.js';
import { ServiceGroupEntity } from './service-group.entity.js';
import { purgedRevisionStore } from '../purged-revision-store.js';

export type ServiceGroupRow = Omit<ServiceGroupEntity, 'workspaceId'>;

export interface MemberRow {
  id: string;
  key: number;
  name: string;
  monitorTypes: MonitorType[];
}

const COLUMNS = columnsOf(ServiceGroupEntity, { without: ['workspaceId'] });
const MEMBER = 'id, key, name, monitor_types AS "monitorTypes"';

export const serviceGroupStore = {
  /** The number of these groups that exist and are not deleted, locked against deletion until the transaction ends. */
  async countHeld(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<number> {
    const rows = await tx.query(
      `SELECT 1 FROM service_group WHERE workspace_id = $1 AND id = ANY ($2) AND deleted_at IS NULL
       ORDER BY id FOR SHARE`,
      [workspaceId, ids],
    );
    return rows.length;
  },

  async all(workspaceId: string, tx: Tx): Promise<ServiceGroupRow[]> {
    const where = { workspaceId, deletedAt: IsNull() };
    return tx.manager.find(ServiceGroupEntity, { where, order: { created: 'ASC', id: 'ASC' } });
  },

  async insert(workspaceId: string, tx: Tx, row: ServiceGroupRow): Promise<void> {
    await tx.manager.insert(ServiceGroupEntity, { ...row, workspaceId });
  },

  /** Locks those of these groups that are not deleted, always in the same order, so that transactions cannot deadlock. */
  async lock(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<ServiceGroupRow[]> {
    return tx.query<ServiceGroupRow>(
      `SELECT ${COLUMNS} FROM service_group WHERE workspace_id = $1 AND id = ANY ($2) AND deleted_at IS NULL
       ORDER BY id FOR NO KEY UPDATE`,
      [workspaceId, ids],
    );
  },

  /** Locks the groups that monitors are in and those that they are to join, before the monitors themselves are locked. */
  async lockAround(
    workspaceId: string,
    tx: Tx,
    monitorIds: readonly string[],
    targetIds: readonly string[],
  ): Promise<void> {
    await tx.query(
      `SELECT 1 FROM service_group
       WHERE workspace_id = $1 AND deleted_at IS NULL AND id IN (
         SELECT unnest($3::uuid[])
         UNION ALL SELECT service_group_id FROM monitor WHERE workspace_id = $1 AND id = ANY ($2))
       ORDER BY id FOR NO KEY UPDATE`,
      [workspaceId, monitorIds, targetIds],
    );
  },

  /** Locks a deleted group that is not to be purged yet. */
  async lockDeleted(workspaceId: string, tx: Tx, id: string, now: Date): Promise<ServiceGroupRow | null> {
    const where = { workspaceId, id, purgeAt: MoreThan(now) };
    return tx.manager.findOne(ServiceGroupEntity, { where, lock: { mode: 'for_no_key_update' } });
  },

  async update(workspaceId: string, tx: Tx, { id, created: _, ...change }: ServiceGroupRow): Promise<void> {
    await tx.manager.update(ServiceGroupEntity, { workspaceId, id }, change);
  },

  /** The monitors of a group, oldest first. The membership is only stable under the group's lock. */
  async members(workspaceId: string, tx: Tx, id: string): Promise<MemberRow[]> {
    return tx.query<MemberRow>(
      `SELECT ${MEMBER} FROM monitor WHERE workspace_id = $1 AND service_group_id = $2 AND deleted_at IS NULL ORDER BY key`,
      [workspaceId, id],
    );
  },

  /** The same, locked until the transaction ends. */
  async lockMembers(workspaceId: string, tx: Tx, id: string): Promise<MemberRow[]> {
    return tx.query<MemberRow>(
      `SELECT ${MEMBER} FROM monitor WHERE workspace_id = $1 AND service_group_id = $2 AND deleted_at IS NULL
       ORDER BY key FOR NO KEY UPDATE`,
      [workspaceId, id],
    );
  },

  /** The monitors that were deleted with their group, locked. */
  async lockBuried(workspaceId: string, tx: Tx, id: string): Promise<MemberRow[]> {
    return tx.query<MemberRow>(
      `SELECT ${MEMBER} FROM monitor WHERE workspace_id = $1 AND buried_with = $2 ORDER BY key FOR NO KEY UPDATE`,
      [workspaceId, id],
    );
  },
};

/** Strictly increasing, because an ETag must identify one state. */
const MODIFIED = `last_modified = greatest($3::timestamptz, last_modified + interval '1 ms')`;

/** Changes of all monitors of a group, one statement each. */
export const membershipStore = {
  /** Moves them to another group, or out of any group. */
  async assign(workspaceId: string, tx: Tx, ids: readonly string[], now: Date, groupId: string | null): Promise<void> {
    await tx.query(`UPDATE monitor SET service_group_id = $4, ${MODIFIED} WHERE workspace_id = $1 AND id = ANY ($2)`, [
      workspaceId,
      ids,
      now,
      groupId,
    ]);
  },

  /** Turns them into tombstones with everything that a restoration with their group needs. */
  async bury(workspaceId: string, tx: Tx, ids: readonly string[], now: Date, groupId: string): Promise<void> {
    await tx.query(
      `UPDATE monitor SET deleted_at = $3, buried_with = $4, ${MODIFIED} WHERE workspace_id = $1 AND id = ANY ($2)`,
      [workspaceId, ids, now, groupId],
    );
  },

  /** Restores them; their checks are due at once. */
  async unbury(workspaceId: string, tx: Tx, ids: readonly string[], now: Date): Promise<void> {
    await tx.query(
      `UPDATE monitor SET deleted_at = NULL, buried_with = NULL, ${MODIFIED},
         checks_changed = greatest($3::timestamptz, checks_changed + interval '1 ms')
       WHERE workspace_id = $1 AND id = ANY ($2)`,
      [workspaceId, ids, now],
    );
  },
};

/** Deleted groups of all workspaces, for the service's own housekeeping. */
export const purgeStore = {
  /** Groups that can no longer be restored, and the monitors that were deleted with them. */
  async due(tx: Tx, now: Date, limit: number): Promise<{ groupIds: string[]; monitorKeys: number[] }> {
    const groupIds = await tx.column<string>(
      'SELECT id FROM service_group WHERE purge_at <= $1 ORDER BY purge_at LIMIT $2',
      [now, limit],
    );
    const monitorKeys = await tx.column<number>('SELECT key FROM monitor WHERE buried_with = ANY ($1)', [groupIds]);
    return { groupIds, monitorKeys };
  },

  async remove(tx: Tx, groupIds: readonly string[]): Promise<void> {
    const purged = await tx.query<{ revision: number }>(
      'DELETE FROM monitor WHERE buried_with = ANY ($1) RETURNING revision',
      [groupIds],
    );
    await purgedRevisionStore.note(tx, purged);
    await tx.query('DELETE FROM service_group WHERE id = ANY ($1)', [groupIds]);
  },
};

/** Monitors that status pages show on their own. */
export const sharedMonitorStore = {
  /** Those of these monitors that status pages show. */
  async among(workspaceId: string, tx: Tx, monitorIds: readonly string[]): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        'SELECT DISTINCT monitor_id AS id FROM shared_monitor WHERE workspace_id = $1 AND monitor_id = ANY ($2)',
        [workspaceId, monitorIds],
      ),
    );
  },
};
