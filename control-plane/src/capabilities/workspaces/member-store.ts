import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { WorkspaceMemberEntity } from './workspace.entity.js';

type StoredMember = Pick<
  WorkspaceMemberEntity,
  'id' | 'userId' | 'role' | 'status' | 'roleSource' | 'notificationPreferences' | 'joined'
>;

export interface MemberRow extends StoredMember {
  email: string | null;
  name: string | null;
  lastModified: Date;
}

const COLUMNS = `m.id, m.user_id AS "userId", u.email, u.name, m.role, m.status, m.role_source AS "roleSource",
    m.notification_preferences AS "notificationPreferences", m.joined,
    coalesce(m.last_modified, m.joined) AS "lastModified"`;
const TABLES = 'workspace_member m JOIN user_account u ON u.id = m.user_id';
const READ = `SELECT ${COLUMNS} FROM ${TABLES} WHERE m.workspace_id = $1`;

/** The members of a workspace. Callers that change them hold the lock on the workspace. */
export const memberStore = {
  /** Newest first. */
  async page(workspaceId: string, tx: Tx, rows: Rows): Promise<ListPage<MemberRow>> {
    const where = 'm.workspace_id = $1';
    const list = {
      columns: COLUMNS,
      from: TABLES,
      counted: 'workspace_member m',
      where,
      orderBy: 'm.joined DESC, m.id DESC',
    };
    return tx.page(list, [workspaceId], rows);
  },

  async count(workspaceId: string, tx: Tx): Promise<number> {
    return tx.manager.countBy(WorkspaceMemberEntity, { workspaceId });
  },

  async find(workspaceId: string, tx: Tx, id: string): Promise<MemberRow | undefined> {
    return tx.one(`${READ} AND m.id = $2`, [workspaceId, id]);
  },

  async findByUser(workspaceId: string, tx: Tx, userId: string): Promise<MemberRow | undefined> {
    return tx.one(`${READ} AND m.user_id = $2`, [workspaceId, userId]);
  },

  async addresses(workspaceId: string, tx: Tx): Promise<{ userId: string; email: string | null }[]> {
    return tx.query(
      `SELECT m.user_id AS "userId", lower(u.email) AS email
       FROM workspace_member m JOIN user_account u ON u.id = m.user_id WHERE m.workspace_id = $1`,
      [workspaceId],
    );
  },

  /** @param email in lower case */
  async hasEmail(workspaceId: string, tx: Tx, email: string): Promise<boolean> {
    return tx.some(
      `SELECT 1 FROM workspace_member m JOIN user_account u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND lower(u.email) = $2 LIMIT 1`,
      [workspaceId, email],
    );
  },

  async save(workspaceId: string, tx: Tx, member: MemberRow): Promise<void> {
    const { id, role, status, roleSource, notificationPreferences, lastModified } = member;
    const change = { role, status, roleSource, notificationPreferences, lastModified };
    await tx.manager.update(WorkspaceMemberEntity, { workspaceId, id }, change);
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(WorkspaceMemberEntity, { workspaceId, id });
  },
};
