import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { columnsOf } from '../../platform/db/columns.js';
import { ApiKeyEntity } from './api-key.entity.js';

export interface ApiKeyRow extends Omit<ApiKeyEntity, 'workspaceId' | 'memberId' | 'hash'> {
  userId: string;
  userName: string | null;
}

export type NewApiKeyRow = Omit<ApiKeyEntity, 'workspaceId' | 'lastUsedAt'>;

export interface UsedKeyRow extends Omit<ApiKeyEntity, 'memberId' | 'prefix' | 'created'> {
  userId: string;
  /** Whether the membership is suspended, or the account of the workspace's owner. */
  isSuspended: boolean;
}

const WHOSE = 'key.workspace_id = $1 AND ($2::uuid IS NULL OR key.member_id = $2)';
const COLUMNS = `${columnsOf(ApiKeyEntity, { from: 'key', without: ['workspaceId', 'memberId', 'hash'] })},
    member.user_id AS "userId", coalesce(account.name, account.email) AS "userName"`;
const TABLES = `api_key key
  JOIN workspace_member member ON member.workspace_id = key.workspace_id AND member.id = key.member_id
  JOIN user_account account ON account.id = member.user_id`;
const USED = columnsOf(ApiKeyEntity, { from: 'key', without: ['memberId', 'prefix', 'created'] });
const READ = `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${WHOSE}`;

/** The keys of a workspace: of one member, or of all (null). */
export const apiKeyStore = {
  /** Newest first. */
  async page(workspaceId: string, tx: Tx, memberId: string | null, rows: Rows): Promise<ListPage<ApiKeyRow>> {
    const orderBy = 'key.created DESC, key.id DESC';
    const list = { columns: COLUMNS, from: TABLES, counted: 'api_key key', where: WHOSE, orderBy };
    return tx.page(list, [workspaceId, memberId], rows);
  },

  async find(workspaceId: string, tx: Tx, memberId: string | null, id: string): Promise<ApiKeyRow | undefined> {
    return tx.one(`${READ} AND key.id = $3`, [workspaceId, memberId, id]);
  },

  /** Those that have not expired. */
  async ofMember(workspaceId: string, tx: Tx, memberId: string, now: Date): Promise<ApiKeyRow[]> {
    return tx.query(`${READ} AND (key.expires_at IS NULL OR key.expires_at > $3)`, [workspaceId, memberId, now]);
  },

  /** @returns false where the membership has ended meanwhile */
  async insert(workspaceId: string, tx: Tx, row: NewApiKeyRow): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO api_key (id, workspace_id, member_id, name, prefix, hash, scopes, created, expires_at)
       SELECT $2, member.workspace_id, member.id, $4, $5, $6, $7, $8, $9
       FROM workspace_member member WHERE member.workspace_id = $1 AND member.id = $3 FOR KEY SHARE`,
      [workspaceId, row.id, row.memberId, row.name, row.prefix, row.hash, row.scopes, row.created, row.expiresAt],
    );
    return inserted > 0;
  },

  /** @returns whether there was one */
  async remove(workspaceId: string, tx: Tx, id: string): Promise<boolean> {
    const { affected } = await tx.manager.delete(ApiKeyEntity, { workspaceId, id });
    return affected === 1;
  },

  async removeOfMember(workspaceId: string, tx: Tx, memberId: string): Promise<void> {
    await tx.manager.delete(ApiKeyEntity, { workspaceId, memberId });
  },

  /** Deletes the member's expired keys but the `kept` that expired last. */
  async removeExpired(workspaceId: string, tx: Tx, memberId: string, now: Date, kept: number): Promise<void> {
    await tx.query(
      `DELETE FROM api_key WHERE workspace_id = $1 AND id IN (
         SELECT id FROM api_key WHERE workspace_id = $1 AND member_id = $2 AND expires_at <= $3
         ORDER BY expires_at DESC OFFSET $4)`,
      [workspaceId, memberId, now, kept],
    );
  },

  /** Writes the minute of a use, unless a later one is known. */
  async markUsed(workspaceId: string, tx: Tx, id: string, minute: Date): Promise<void> {
    await tx.query(
      `UPDATE api_key SET last_used_at = $3
       WHERE workspace_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)`,
      [workspaceId, id, minute],
    );
  },
};

/** The keys of all workspaces. */
export const anyApiKeyStore = {
  /** By the prefix alone: the key is the only credential of its request. */
  async findByPrefix(tx: Tx, prefix: string): Promise<UsedKeyRow | undefined> {
    return tx.one(
      `SELECT ${USED}, member.user_id AS "userId", member.status = 'suspended' OR EXISTS (
           SELECT FROM suspended_workspace closed WHERE closed.workspace_id = key.workspace_id
         ) AS "isSuspended"
       FROM api_key key
       JOIN workspace_member member ON member.workspace_id = key.workspace_id AND member.id = key.member_id
       WHERE key.prefix = $1`,
      [prefix],
    );
  },

  /** Deletes keys that had expired by a moment. @returns how many */
  async purge(tx: Tx, by: Date, limit: number): Promise<number> {
    return tx.execute(
      'DELETE FROM api_key WHERE id IN (SELECT id FROM api_key WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)',
      [by, limit],
    );
  },
};
