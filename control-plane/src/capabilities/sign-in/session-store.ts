import { LessThan, MoreThan } from 'typeorm';
import { columnsOf } from '../../platform/db/columns.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { ConsoleSessionEntity } from './console-session.entity.js';

export type SessionRow = Omit<ConsoleSessionEntity, 'tokenHash' | 'idToken'>;

/** A session is live at a moment: not past its end, and seen after `seenSince`. */
export interface Moment {
  now: Date;
  seenSince: Date;
}

const COLUMNS = columnsOf(ConsoleSessionEntity, { without: ['tokenHash', 'idToken'] });

/** The sessions of one user. The tenant is the user: a session belongs to no workspace. */
export const sessionStore = {
  async insert(userId: string, tx: Tx, session: Omit<ConsoleSessionEntity, 'userId'>): Promise<void> {
    await tx.manager.insert(ConsoleSessionEntity, { ...session, userId });
    await tx.query('UPDATE user_account SET last_sign_in = $2 WHERE id = $1', [userId, session.created]);
  },

  /** Ends all but the `most` that were used last. */
  async makeRoom(userId: string, tx: Tx, most: number): Promise<void> {
    await tx.query(
      `DELETE FROM console_session WHERE user_id = $1 AND id IN (
         SELECT id FROM console_session WHERE user_id = $1 ORDER BY last_seen DESC, id DESC OFFSET $2)`,
      [userId, most],
    );
  },

  /** Live sessions, the one that was used last first. */
  async page(userId: string, tx: Tx, { now, seenSince }: Moment, rows: Rows): Promise<ListPage<SessionRow>> {
    const where = 'user_id = $1 AND expires > $2 AND last_seen > $3';
    const list = { columns: COLUMNS, from: 'console_session', where, orderBy: 'last_seen DESC, id DESC' };
    return tx.page(list, [userId, now, seenSince], rows);
  },

  /** @returns whether there was such a session */
  async delete(userId: string, tx: Tx, id: string): Promise<boolean> {
    return (await tx.manager.delete(ConsoleSessionEntity, { userId, id })).affected === 1;
  },

  async deleteAll(userId: string, tx: Tx): Promise<number> {
    return (await tx.manager.delete(ConsoleSessionEntity, { userId })).affected ?? 0;
  },

  async touch(userId: string, tx: Tx, id: string, lastSeen: Date): Promise<void> {
    await tx.manager.update(ConsoleSessionEntity, { userId, id, lastSeen: LessThan(lastSeen) }, { lastSeen });
  },
};

/** Sessions of all users: found by the cookie, which is the only credential, or ended because their time is over. */
export const anySessionStore = {
  async findLive(
    tx: Tx,
    tokenHash: Buffer,
    { now, seenSince }: Moment,
  ): Promise<Pick<SessionRow, 'id' | 'userId' | 'lastSeen'> | undefined> {
    return tx.one(
      `SELECT id, user_id AS "userId", last_seen AS "lastSeen" FROM console_session
       WHERE token_hash = $1 AND expires > $2 AND last_seen > $3`,
      [tokenHash, now, seenSince],
    );
  },

  /** @returns what the sign-out at the provider needs; undefined where there is no such session */
  async deleteByToken(
    tx: Tx,
    tokenHash: Buffer,
  ): Promise<{ id: string; userId: string; idToken: Buffer | null } | undefined> {
    return tx.one(
      `DELETE FROM console_session WHERE token_hash = $1 RETURNING id, user_id AS "userId", id_token AS "idToken"`,
      [tokenHash],
    );
  },

  async countLive(tx: Tx, { now, seenSince }: Moment): Promise<number> {
    return tx.manager.countBy(ConsoleSessionEntity, { expires: MoreThan(now), lastSeen: MoreThan(seenSince) });
  },

  /** @returns how many were deleted, at most `limit` */
  async purge(tx: Tx, { now, seenSince }: Moment, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM console_session WHERE id IN (
         SELECT id FROM console_session WHERE expires <= $1 OR last_seen <= $2 LIMIT $3)`,
      [now, seenSince, limit],
    );
  },
};
