import { IsNull, Not } from 'typeorm';
import type { Tx } from '../../../platform/db/database.js';
import { columnsOf } from '../../../platform/db/columns.js';
import type { Role } from '../../../platform/identity/caller.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { Lender } from '../../group-settings/index.js';
import { ChatAccountEntity } from './chat-account.entity.js';

/** An account, as the service names it, and what for. */
export type AccountName = Pick<ChatAccountEntity, 'use' | 'type' | 'accountId'>;

export interface LinkedMember {
  userId: string;
  role: Role;
}

export const chatAccountStore = {
  /** Oldest first. */
  async ofMember(workspaceId: string, tx: Tx, memberId: string): Promise<ChatAccountEntity[]> {
    return tx.manager.find(ChatAccountEntity, { where: { workspaceId, memberId }, order: { created: 1, id: 1 } });
  },

  /** The account of the caller, locked until the transaction ends. */
  async lockOwn(
    workspaceId: string,
    tx: Tx,
    memberId: string,
    { use, type, accountId }: AccountName,
  ): Promise<ChatAccountEntity | undefined> {
    return tx.one(
      `SELECT ${columnsOf(ChatAccountEntity)} FROM chat_account
       WHERE workspace_id = $1 AND member_id = $2 AND use = $3 AND type = $4 AND account_id = $5 FOR UPDATE`,
      [workspaceId, memberId, use, type, accountId],
    );
  },

  /** True if another member has confirmed it as the one that presses; several may be paged at one address. */
  async isTaken(
    workspaceId: string,
    tx: Tx,
    memberId: string,
    { use, type, accountId }: AccountName,
  ): Promise<boolean> {
    if (use === 'page') return false;
    const where = { workspaceId, use, type, accountId, memberId: Not(memberId), confirmedAt: Not(IsNull()) };
    return tx.manager.existsBy(ChatAccountEntity, where);
  },

  async insert(tx: Tx, account: ChatAccountEntity): Promise<void> {
    await tx.manager.insert(ChatAccountEntity, account);
  },

  async update(workspaceId: string, tx: Tx, id: string, change: Partial<ChatAccountEntity>): Promise<void> {
    await tx.manager.update(ChatAccountEntity, { workspaceId, id }, change);
  },

  async remove(workspaceId: string, tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(ChatAccountEntity, { workspaceId, id });
  },

  /** @returns undefined where no active member has confirmed the account */
  async linkedMember(
    workspaceId: string,
    tx: Tx,
    { type, accountId }: Omit<AccountName, 'use'>,
  ): Promise<LinkedMember | undefined> {
    return tx.one(
      `SELECT person.user_id AS "userId", person.role
       FROM chat_account account JOIN workspace_member member ON member.id = account.member_id
         JOIN reachable_member person ON person.workspace_id = member.workspace_id AND person.user_id = member.user_id
       WHERE account.workspace_id = $1 AND account.use = 'press' AND account.type = $2 AND account.account_id = $3
         AND account.confirmed_at IS NOT NULL`,
      [workspaceId, type, accountId],
    );
  },

  /** The enabled groups of a type that have the field, oldest first. */
  async groupsWith(
    workspaceId: string,
    tx: Tx,
    { type, field }: { type: ActionGroupType; field: string },
    limit: number,
  ): Promise<Lender[]> {
    return tx.query(
      `SELECT id, settings, secrets FROM action_group
       WHERE workspace_id = $1 AND type = $2 AND is_enabled AND settings ->> $4 IS NOT NULL
       ORDER BY created, id LIMIT $3`,
      [workspaceId, type, limit, field],
    );
  },

  async workspaceName(workspaceId: string, tx: Tx): Promise<string> {
    return tx.value('SELECT name FROM workspace WHERE id = $1', [workspaceId]);
  },
};
