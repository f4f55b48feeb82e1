import type { Tx } from '../../platform/db/database.js';
import type { TrialDates } from '../plans/index.js';

export interface UserRow extends TrialDates {
  id: string;
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  /** When the provider reported this email; null where unknown. */
  emailAsOf: Date | null;
  name: string | null;
  plan: string;
  created: Date;
  lastModified: Date;
}

export type NewUser = Pick<
  UserRow,
  'id' | 'issuer' | 'subject' | 'email' | 'emailVerified' | 'emailAsOf' | 'name' | 'plan'
>;

const COLUMNS = `id, issuer, subject, email, email_verified AS "emailVerified", email_as_of AS "emailAsOf", name, plan, created,
  last_modified AS "lastModified", trial_plan AS "trialPlan", trial_started AS "trialStarted",
  trial_ends AS "trialEnds"`;

/** Users: principals that have made at least one request. */
export const userStore = {
  async findByPrincipal(tx: Tx, issuer: string, subject: string): Promise<UserRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM user_account WHERE issuer = $1 AND subject = $2`, [issuer, subject]);
  },

  async find(tx: Tx, id: string): Promise<UserRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM user_account WHERE id = $1`, [id]);
  },

  async isSuspended(tx: Tx, id: string): Promise<boolean> {
    return tx.some('SELECT FROM user_account WHERE id = $1 AND suspended_at IS NOT NULL', [id]);
  },

  /** @param at null ends the suspension. @returns false if nothing changes */
  async setSuspended(tx: Tx, id: string, at: Date | null): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE user_account SET suspended_at = $2
       WHERE id = $1 AND (suspended_at IS NULL) <> ($2::timestamptz IS NULL)`,
      [id, at],
    );
    return changed > 0;
  },

  async workspacesOwned(tx: Tx, id: string): Promise<{ id: string; name: string }[]> {
    return tx.query('SELECT id, name FROM workspace WHERE owner_id = $1 ORDER BY id', [id]);
  },

  /** @returns whether this call created it; concurrent calls for one principal wait for the one that does */
  async insert(tx: Tx, user: NewUser, nowMs: number): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO user_account (id, issuer, subject, email, email_verified, email_as_of, name, plan, created,
         last_modified)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
       ON CONFLICT ON CONSTRAINT user_account_principal_key DO NOTHING`,
      [
        user.id,
        user.issuer,
        user.subject,
        user.email,
        user.emailVerified,
        user.emailAsOf,
        user.name,
        user.plan,
        new Date(nowMs),
      ],
    );
    return inserted > 0;
  },

  async saveProfile(
    tx: Tx,
    id: string,
    profile: Pick<UserRow, 'email' | 'emailVerified' | 'emailAsOf' | 'name'>,
    lastModified: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE user_account SET email = $2, email_verified = $3, email_as_of = $4, name = $5, last_modified = $6
       WHERE id = $1`,
      [id, profile.email, profile.emailVerified, profile.emailAsOf, profile.name, lastModified],
    );
  },

  /** Locks the account until the transaction ends, for a change, or exclusively for its deletion. */
  async lock(tx: Tx, id: string, strength: 'FOR NO KEY UPDATE' | 'FOR UPDATE'): Promise<UserRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM user_account WHERE id = $1 ${strength}`, [id]);
  },

  async rename(tx: Tx, id: string, name: string | null, nowMs: number): Promise<void> {
    await tx.query('UPDATE user_account SET name = $2, last_modified = $3 WHERE id = $1', [id, name, new Date(nowMs)]);
  },

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.query('DELETE FROM user_account WHERE id = $1', [id]);
  },

  async preferences(tx: Tx, id: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await tx.query<{ preferences: Record<string, unknown> }>(
      'SELECT preferences FROM user_account WHERE id = $1',
      [id],
    );
    return row?.preferences;
  },

  async savePreferences(tx: Tx, id: string, preferences: string): Promise<void> {
    await tx.query('UPDATE user_account SET preferences = $2 WHERE id = $1', [id, preferences]);
  },
};
