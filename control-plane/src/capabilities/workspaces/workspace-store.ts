import type { Tx } from '../../platform/db/database.js';
import type { Role } from '../../platform/identity/caller.js';
import type { LimitOverrides, PlanName } from '../plans/index.js';

export interface WorkspaceRow {
  id: string;
  name: string;
  isPersonal: boolean;
  ownerId: string;
  timezone: string;
  autoCloseIncidents: boolean;
  incidentQuorum: 'any' | 'majority' | 'all';
  defaultActionGroupIds: string[];
  created: Date;
  lastModified: Date;
  /** The role of the user for whom it was read. */
  role: Role;
  plan: PlanName;
  planLimits: LimitOverrides;
  usedMonitors: number;
  usedExtraRegions: number;
  usedTeams: number;
  /** Groups by channel. */
  usedGroups: Record<string, number>;
}

/** The fields of a locked workspace that changes need. */
export type LockedWorkspace = Pick<
  WorkspaceRow,
  | 'id'
  | 'name'
  | 'isPersonal'
  | 'ownerId'
  | 'timezone'
  | 'autoCloseIncidents'
  | 'incidentQuorum'
  | 'defaultActionGroupIds'
  | 'lastModified'
>;

const READ = `SELECT w.id, w.name, w.is_personal AS "isPersonal", w.owner_id AS "ownerId", w.timezone,
    w.auto_close_incidents AS "autoCloseIncidents", w.incident_quorum AS "incidentQuorum",
    w.default_action_group_ids AS "defaultActionGroupIds", w.created, w.last_modified AS "lastModified",
    m.role, p.plan, p.plan_limits AS "planLimits",
    coalesce(u.monitors, 0) AS "usedMonitors", coalesce(u.extra_regions, 0) AS "usedExtraRegions",
    coalesce(u.teams, 0) AS "usedTeams",
    (SELECT coalesce(jsonb_object_agg(channel, used), '{}') FROM account_channel_usage g WHERE g.owner_id = w.owner_id) AS "usedGroups"
  FROM workspace_member m
  JOIN workspace w ON w.id = m.workspace_id
  JOIN workspace_plan p ON p.workspace_id = w.id
  LEFT JOIN LATERAL (SELECT monitors, extra_regions, teams FROM account_usage WHERE owner_id = w.owner_id) u ON true`;

export const workspaceStore = {
  async insert(
    workspaceId: string,
    tx: Tx,
    workspace: { name: string; isPersonal: boolean; ownerId: string; nowMs: number },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO workspace (id, name, is_personal, owner_id, created, last_modified) VALUES ($1, $2, $3, $4, $5, $5)`,
      [workspaceId, workspace.name, workspace.isPersonal, workspace.ownerId, new Date(workspace.nowMs)],
    );
  },

  /** Locks the workspace until the transaction ends; referring rows can still be inserted. */
  async lock(workspaceId: string, tx: Tx): Promise<LockedWorkspace | undefined> {
    const [row] = await tx.query<LockedWorkspace>(
      `SELECT id, name, is_personal AS "isPersonal", owner_id AS "ownerId", timezone,
         auto_close_incidents AS "autoCloseIncidents", incident_quorum AS "incidentQuorum",
         default_action_group_ids AS "defaultActionGroupIds", last_modified AS "lastModified"
       FROM workspace WHERE id = $1 FOR NO KEY UPDATE`,
      [workspaceId],
    );
    return row;
  },

  async timeZone(workspaceId: string, tx: Tx): Promise<string> {
    const [row] = await tx.query<{ timezone: string }>('SELECT timezone FROM workspace WHERE id = $1', [workspaceId]);
    return row?.timezone ?? 'UTC';
  },

  async save(
    workspaceId: string,
    tx: Tx,
    workspace: Omit<LockedWorkspace, 'id' | 'isPersonal' | 'ownerId'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE workspace SET name = $2, timezone = $3, auto_close_incidents = $4, incident_quorum = $5,
         default_action_group_ids = $6, last_modified = $7
       WHERE id = $1`,
      [
        workspaceId,
        workspace.name,
        workspace.timezone,
        workspace.autoCloseIncidents,
        workspace.incidentQuorum,
        workspace.defaultActionGroupIds,
        workspace.lastModified,
      ],
    );
  },

  /** Whether the account of its owner is suspended, so that nothing of it runs. */
  async isSuspended(workspaceId: string, tx: Tx): Promise<boolean> {
    return (await tx.query('SELECT FROM suspended_workspace WHERE workspace_id = $1', [workspaceId])).length > 0;
  },

  /** Sets another owner and makes the workspace an ordinary one. */
  async handOver(
    workspaceId: string,
    tx: Tx,
    { ownerId, ownedSince, lastModified }: { ownerId: string; ownedSince: Date; lastModified: Date },
  ): Promise<void> {
    await tx.query(
      `UPDATE workspace SET owner_id = $2, is_personal = false, owned_since = $3, last_modified = $4 WHERE id = $1`,
      [workspaceId, ownerId, ownedSince, lastModified],
    );
  },

  async remove(workspaceId: string, tx: Tx): Promise<void> {
    await tx.query('DELETE FROM workspace WHERE id = $1', [workspaceId]);
  },

  /** The number of workspaces that a user owns. The account must be locked. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    const [row] = await tx.query<{ total: number }>('SELECT count(*) AS total FROM workspace WHERE owner_id = $1', [
      ownerId,
    ]);
    return row!.total;
  },

  /** Locks every workspace of an owner, so that nobody can join one of them. */
  async lockOfOwner(ownerId: string, tx: Tx): Promise<{ id: string; name: string; isPersonal: boolean }[]> {
    return tx.query(
      'SELECT id, name, is_personal AS "isPersonal" FROM workspace WHERE owner_id = $1 ORDER BY id FOR UPDATE',
      [ownerId],
    );
  },

  /** The workspace as the member with this id sees it. */
  async find(workspaceId: string, tx: Tx, memberId: string): Promise<WorkspaceRow | undefined> {
    const [row] = await tx.query<WorkspaceRow>(`${READ} WHERE m.workspace_id = $1 AND m.id = $2`, [
      workspaceId,
      memberId,
    ]);
    return row;
  },

  /**
   * The workspaces of a user, newest first, without those where the user is suspended.
   * @param onlyId where it is not null, no other than this one
   */
  async pageOfUser(
    tx: Tx,
    userId: string,
    onlyId: string | null,
    page: { limit: number; offset: number },
  ): Promise<{ rows: WorkspaceRow[]; total: number }> {
    const where = `m.user_id = $1 AND m.status = 'active' AND ($2::uuid IS NULL OR m.workspace_id = $2)`;
    const rows = await tx.query<WorkspaceRow>(
      `${READ} WHERE ${where} ORDER BY w.created DESC, w.id DESC LIMIT $3 OFFSET $4`,
      [userId, onlyId, page.limit, page.offset],
    );
    const [count] = await tx.query<{ total: number }>(
      `SELECT count(*) AS total FROM workspace_member m WHERE ${where}`,
      [userId, onlyId],
    );
    return { rows, total: count!.total };
  },
};
