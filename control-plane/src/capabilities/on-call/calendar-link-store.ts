import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { OnCallCalendarLinkEntity } from './schedule.entity.js';

export type CalendarLinkRow = Pick<OnCallCalendarLinkEntity, 'id' | 'userId' | 'name' | 'created' | 'lastRead'>;

/** The links of a team, of one person or of all (null). */
function ofTeam(workspaceId: string, teamId: string, userId: string | null) {
  return { workspaceId, teamId, ...(userId !== null && { userId }) };
}

/** The links to a team's calendar, by the hash of their tokens. Callers that add one hold the lock on the team. */
export const calendarLinkStore = {
  /** Newest first, of one person, or of all (null). */
  async page(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    userId: string | null,
    page: Rows,
  ): Promise<ListPage<CalendarLinkRow>> {
    const [rows, total] = await tx.manager.findAndCount(OnCallCalendarLinkEntity, {
      where: ofTeam(workspaceId, teamId, userId),
      order: { created: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
    return { items: rows, total };
  },

  async count(workspaceId: string, tx: Tx, teamId: string, userId: string | null): Promise<number> {
    return tx.manager.countBy(OnCallCalendarLinkEntity, ofTeam(workspaceId, teamId, userId));
  },

  async insert(workspaceId: string, tx: Tx, teamId: string, row: CalendarLinkRow & { hash: Buffer }): Promise<void> {
    await tx.manager.insert(OnCallCalendarLinkEntity, { ...row, workspaceId, teamId });
  },

  /** Of one person, or of anyone (null). */
  async ofTeam(
    workspaceId: string,
    tx: Tx,
    teamId: string,
    userId: string | null,
    id: string,
  ): Promise<CalendarLinkRow | null> {
    return tx.manager.findOneBy(OnCallCalendarLinkEntity, { ...ofTeam(workspaceId, teamId, userId), id });
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.manager.delete(OnCallCalendarLinkEntity, { workspaceId, teamId, id });
  },

  /** By the token alone, the only credential of a calendar program. Undefined while its owner is suspended. */
  async find(
    tx: Tx,
    hash: Buffer,
  ): Promise<{ id: string; workspaceId: string; teamId: string; lastRead: Date | null } | undefined> {
    return tx.one(
      `SELECT link.id, link.workspace_id AS "workspaceId", link.team_id AS "teamId", link.last_read AS "lastRead"
       FROM on_call_calendar_link link
       JOIN workspace_member member ON member.workspace_id = link.workspace_id AND member.user_id = link.user_id
         AND member.status = 'active'
       WHERE link.hash = $1`,
      [hash],
    );
  },

  async markRead(workspaceId: string, tx: Tx, id: string, at: Date): Promise<void> {
    await tx.manager.update(OnCallCalendarLinkEntity, { workspaceId, id }, { lastRead: at });
  },
};
