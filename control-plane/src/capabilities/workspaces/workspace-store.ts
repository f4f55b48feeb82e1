import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import type { Role } from '../../platform/identity/caller.js';
import type { LimitOverrides, PlanName } from '../plans/index.js';
import { WorkspaceEntity } from './workspace.entity.js';

export interface WorkspaceRow extends WorkspaceEntity {
  /** The role of the user for whom it was read. */
  role: Role;
  plan: PlanName;
  planLimits: LimitOverrides;
  usedMonitors: number;
  usedExtraRegions: number;
  usedTeams: number;
  usedLocations: number;
  /** Groups by channel. */
  usedGroups: Record<string, number>;
}

const COLUMNS = `${columnsOf(WorkspaceEntity, { from: 'w' })},
    m.role, p.plan, p.plan_limits AS "planLimits",
    coalesce(u.monitors, 0) AS "usedMonitors", coalesce(u.extra_regions, 0) AS "usedExtraRegions",
    coalesce(u.teams, 0) AS "usedTeams", coalesce(u.private_locations, 0) AS "usedLocations",
    (SELECT coalesce(jsonb_object_agg(channel, used), '{}') FROM account_channel_usage g WHERE g.owner_id = w.owner_id) AS "usedGroups"`;
const TABLES = `workspace_member m
  JOIN workspace w ON w.id = m.workspace_id
  JOIN workspace_plan p ON p.workspace_id = w.id
  LEFT JOIN LATERAL (SELECT monitors, extra_regions, teams, private_locations FROM account_usage WHERE owner_id = w.owner_id) u ON true`;

export const workspaceStore = {
  async insert(
    workspaceId: string,
    tx: Tx,
    { nowMs, ...workspace }: { name: string; isPersonal: boolean; ownerId: string; nowMs: number },
  ): Promise<void> {
    const now = new Date(nowMs);
    await tx.manager.insert(WorkspaceEntity, { id: workspaceId, ...workspace, created: now, lastModified: now });
  },

  /** Locks the workspace until the transaction ends; referring rows can still be inserted. */
  async lock(workspaceId: string, tx: Tx): Promise<WorkspaceEntity | null> {
    return tx.manager.findOne(WorkspaceEntity, { where: { id: workspaceId }, lock: { mode: 'for_no_key_update' } });
  },

  async timeZone(workspaceId: string, tx: Tx): Promise<string> {
    return (await tx.manager.findOneBy(WorkspaceEntity, { id: workspaceId }))?.timezone ?? 'UTC';
  },

  async save(workspaceId: string, tx: Tx, change: Partial<WorkspaceEntity>): Promise<void> {
    await tx.manager.update(WorkspaceEntity, { id: workspaceId }, change);
  },

  /** Whether the account of its owner is suspended, so that nothing of it runs. */
  async isSuspended(workspaceId: string, tx: Tx): Promise<boolean> {
    return tx.some('SELECT FROM suspended_workspace WHERE workspace_id = $1', [workspaceId]);
  },

  async remove(workspaceId: string, tx: Tx): Promise<void> {
    await tx.manager.delete(WorkspaceEntity, { id: workspaceId });
  },

  /** The number of workspaces that a user owns. The account must be locked. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    return tx.manager.countBy(WorkspaceEntity, { ownerId });
  },

  /** Locks every workspace of an owner, so that nobody can join one of them. */
  async lockOfOwner(ownerId: string, tx: Tx): Promise<{ id: string; name: string; isPersonal: boolean }[]> {
    return tx.query(
      'SELECT id, name, is_personal AS "isPersonal" FROM workspace WHERE owner_id = $1 ORDER BY id FOR UPDATE',
      [ownerId],
    );
  },

  async find(workspaceId: string, tx: Tx, memberId: string): Promise<WorkspaceRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM ${TABLES} WHERE m.workspace_id = $1 AND m.id = $2`, [workspaceId, memberId]);
  },

  /**
   * The workspaces of a user, newest first, without those where the user is suspended.
   * @param onlyId where it is not null, no other than this one
   */
  async pageOfUser(tx: Tx, userId: string, onlyId: string | null, page: Rows): Promise<ListPage<WorkspaceRow>> {
    const where = `m.user_id = $1 AND m.status = 'active' AND ($2::uuid IS NULL OR m.workspace_id = $2)`;
    const orderBy = 'w.created DESC, w.id DESC';
    const list = { columns: COLUMNS, from: TABLES, counted: 'workspace_member m', where, orderBy };
    return tx.page(list, [userId, onlyId], page);
  },
};
