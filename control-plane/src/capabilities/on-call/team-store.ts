import { type ManagedBy, managedByColumn } from '../../platform/documents/managed-by.js';
import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { RANKED } from './team-plan-store.js';
import type { TeamMember } from './team-schemas.js';
import { TeamEntity } from './team.entity.js';

export type TeamRow = Omit<TeamEntity, 'workspaceId' | 'readinessMailed'>;

export interface TeamWithMembers extends TeamRow {
  /** Position among the teams of the owner, from 1. */
  ownerRank: number;
  members: TeamMember[];
  managedBy: ManagedBy;
}

const COLUMNS = columnsOf(TeamEntity, { without: ['workspaceId', 'readinessMailed'] });

const READ = `SELECT ${COLUMNS}, ${managedByColumn('teams', 'team')}, team_rank.rank AS "ownerRank",
    coalesce((
      SELECT json_agg(json_build_object('userId', m.user_id, 'name', u.name, 'email', u.email, 'teamRole', m.team_role)
        ORDER BY m.created, m.user_id)
      FROM team_member m JOIN user_account u ON u.id = m.user_id
      WHERE m.workspace_id = team.workspace_id AND m.team_id = team.id
    ), '[]') AS members
  FROM team ${RANKED} WHERE workspace_id = $1`;

/** Teams, by workspace. */
export const teamStore = {
  /** Newest first. */
  async page(workspaceId: string, tx: Tx, page: Rows): Promise<ListPage<TeamWithMembers>> {
    const rows = await tx.query<TeamWithMembers>(`${READ} ORDER BY created DESC, id DESC LIMIT $2 OFFSET $3`, [
      workspaceId,
      page.limit,
      page.offset,
    ]);
    return { items: rows, total: await tx.manager.countBy(TeamEntity, { workspaceId }) };
  },

  async find(workspaceId: string, tx: Tx, id: string): Promise<TeamWithMembers | undefined> {
    return tx.one(`${READ} AND id = $2`, [workspaceId, id]);
  },

  async exists(workspaceId: string, tx: Tx, id: string): Promise<boolean> {
    return tx.manager.existsBy(TeamEntity, { workspaceId, id });
  },

  /** Locks the team, so that changes of its members, schedule, overrides and routing are serialised. */
  async lock(workspaceId: string, tx: Tx, id: string): Promise<TeamRow | null> {
    return tx.manager.findOne(TeamEntity, { where: { workspaceId, id }, lock: { mode: 'for_no_key_update' } });
  },

  /** Over all workspaces of the owner. */
  async countOfOwner(ownerId: string, tx: Tx): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM team JOIN workspace ON workspace.id = team.workspace_id
       WHERE workspace.owner_id = $1`,
      [ownerId],
    );
  },

  async insert(workspaceId: string, tx: Tx, row: TeamRow): Promise<void> {
    await tx.manager.insert(TeamEntity, { ...row, workspaceId });
  },

  async update(workspaceId: string, tx: Tx, row: TeamRow): Promise<void> {
    const { id, name, description, lastModified } = row;
    await tx.manager.update(TeamEntity, { workspaceId, id }, { name, description, lastModified });
  },

  /** Finds in all workspaces the teams whose leads have not been mailed about them since then, in the order of their ids, beginning after one. */
  async unmailed(
    tx: Tx,
    before: Date,
    after: string | null,
    limit: number,
  ): Promise<{ workspaceId: string; id: string }[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", id FROM team
       WHERE (readiness_mailed IS NULL OR readiness_mailed <= $1) AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [before, after, limit],
    );
  },

  /** @returns whether this call is the first since `before` */
  async noteMailed(workspaceId: string, tx: Tx, id: string, before: Date, now: Date): Promise<boolean> {
    const noted = await tx.query(
      `UPDATE team SET readiness_mailed = $4 WHERE workspace_id = $1 AND id = $2
         AND (readiness_mailed IS NULL OR readiness_mailed <= $3) RETURNING id`,
      [workspaceId, id, before, now],
    );
    return noted.length > 0;
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(TeamEntity, { workspaceId, id });
  },
};
