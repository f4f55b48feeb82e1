import type { Tx } from '../../platform/db/database.js';

export interface CalendarLinkRow {
  id: string;
  userId: string;
  name: string;
  created: Date;
  lastRead: Date | null;
}

const COLUMNS = 'id, user_id AS "userId", name, created, last_read AS "lastRead"';
const OF_TEAM = 'workspace_id = $1 AND team_id = $2 AND ($3::uuid IS NULL OR user_id = $3)';

/** The links to a team's calendar, by the hash of their tokens. Callers that add one hold the lock on the team. */
export const calendarLinkStore = {
  /** Newest first, of one person, or of all (null). */
  async page(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    userId: string | null,
    page: { limit: number; offset: number },
  ): Promise<{ rows: CalendarLinkRow[]; total: number }> {
    const rows = await tx.query<CalendarLinkRow>(
      `SELECT ${COLUMNS} FROM on_call_calendar_link WHERE ${OF_TEAM} ORDER BY created DESC, id DESC LIMIT $4 OFFSET $5`,
      [workspaceId, teamId, userId, page.limit, page.offset],
    );
    return { rows, total: await calendarLinkStore.count(workspaceId, tx, teamId, userId) };
  },

  async count(workspaceId: string, tx: Tx, teamId: string, userId: string | null): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*) AS count FROM on_call_calendar_link WHERE ${OF_TEAM}`,
      [workspaceId, teamId, userId],
    );
    return row!.count;
  },

  async insert(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    { id, userId, name, created, hash }: Omit<CalendarLinkRow, 'lastRead'> & { hash: Buffer },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO on_call_calendar_link (workspace_id, team_id, id, user_id, name, created, hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [workspaceId, teamId, id, userId, name, created, hash],
    );
  },

  /** Of one person, or of anyone (null). */
  async ofTeam(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    userId: string | null,
    id: string,
  ): Promise<CalendarLinkRow | undefined> {
    const [row] = await tx.query<CalendarLinkRow>(
      `SELECT ${COLUMNS} FROM on_call_calendar_link WHERE ${OF_TEAM} AND id = $4`,
      [workspaceId, teamId, userId, id],
    );
    return row;
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.query('DELETE FROM on_call_calendar_link WHERE workspace_id = $1 AND team_id = $2 AND id = $3', [
      workspaceId,
      teamId,
      id,
    ]);
  },

  /** By the token alone, the only credential of a calendar program. Undefined while its owner is suspended. */
  async find(
    tx: Tx,
    hash: Buffer,
  ): Promise<{ id: string; workspaceId: string; teamId: string; lastRead: Date | null } | undefined> {
    const [row] = await tx.query<{ id: string; workspaceId: string; teamId: string; lastRead: Date | null }>(
      `SELECT link.id, link.workspace_id AS "workspaceId", link.team_id AS "teamId", link.last_read AS "lastRead"
       FROM on_call_calendar_link link
       JOIN workspace_member member ON member.workspace_id = link.workspace_id AND member.user_id = link.user_id
         AND member.status = 'active'
       WHERE link.hash = $1`,
      [hash],
    );
    return row;
  },

  async markRead(workspaceId: string, tx: Tx, id: string, at: Date): Promise<void> {
    await tx.query('UPDATE on_call_calendar_link SET last_read = $3 WHERE workspace_id = $1 AND id = $2', [
      workspaceId,
      id,
      at,
    ]);
  },
};
