import { IsNull, Not } from 'typeorm';
import type { Tx } from '../../platform/db/database.js';
import { insertUnlessThere } from '../../platform/db/insert-unless-there.js';
import { UserAccountEntity } from './user-account.entity.js';

export type UserRow = Omit<UserAccountEntity, 'preferences' | 'lastSignIn'>;

export type NewUser = Pick<
  UserRow,
  'id' | 'issuer' | 'subject' | 'email' | 'emailVerified' | 'emailAsOf' | 'name' | 'plan'
>;

/** Users: principals that have made at least one request. */
export const userStore = {
  async findByPrincipal(tx: Tx, issuer: string, subject: string): Promise<UserRow | null> {
    return tx.manager.findOneBy(UserAccountEntity, { issuer, subject });
  },

  async find(tx: Tx, id: string): Promise<UserRow | null> {
    return tx.manager.findOneBy(UserAccountEntity, { id });
  },

  async isSuspended(tx: Tx, id: string): Promise<boolean> {
    return tx.manager.existsBy(UserAccountEntity, { id, suspendedAt: Not(IsNull()) });
  },

  /** @param suspendedAt null ends the suspension. @returns false if nothing changes */
  async setSuspended(tx: Tx, id: string, suspendedAt: Date | null): Promise<boolean> {
    const before = { id, suspendedAt: suspendedAt ? IsNull() : Not(IsNull()) };
    return (await tx.manager.update(UserAccountEntity, before, { suspendedAt })).affected === 1;
  },

  async workspacesOwned(tx: Tx, id: string): Promise<{ id: string; name: string }[]> {
    return tx.query('SELECT id, name FROM workspace WHERE owner_id = $1 ORDER BY id', [id]);
  },

  /** @returns whether this call created it; concurrent calls for one principal wait for the one that does */
  async insert(tx: Tx, user: NewUser, nowMs: number): Promise<boolean> {
    const now = new Date(nowMs);
    return insertUnlessThere(tx, UserAccountEntity, { ...user, created: now, lastModified: now });
  },

  async update(tx: Tx, id: string, change: Partial<UserRow>): Promise<void> {
    await tx.manager.update(UserAccountEntity, { id }, change);
  },

  /** Locks the account until the transaction ends, for a change, or exclusively for its deletion. */
  async lock(tx: Tx, id: string, mode: 'for_no_key_update' | 'pessimistic_write'): Promise<UserRow | null> {
    return tx.manager.findOne(UserAccountEntity, { where: { id }, lock: { mode } });
  },

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(UserAccountEntity, { id });
  },

  async preferences(tx: Tx, id: string): Promise<Record<string, unknown> | undefined> {
    const select = { id: true, preferences: true };
    return (await tx.manager.findOne(UserAccountEntity, { where: { id }, select }))?.preferences;
  },

  async savePreferences(tx: Tx, id: string, preferences: string): Promise<void> {
    await tx.query('UPDATE user_account SET preferences = $2 WHERE id = $1', [id, preferences]);
  },
};
