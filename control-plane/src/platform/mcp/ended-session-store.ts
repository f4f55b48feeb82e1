import type { Tx } from '../db/database.js';
import { EndedSessionEntity } from './ended-session.entity.js';

/** Sessions that were ended before their time, which every process must know. They belong to no workspace. */
export const endedSessionStore = {
  /** @returns false where it was ended already */
  async insert(tx: Tx, sessionId: string, expires: Date): Promise<boolean> {
    const inserted = await tx.execute(
      'INSERT INTO mcp_ended_session (id, expires) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [sessionId, expires],
    );
    return inserted > 0;
  },

  async has(tx: Tx, sessionId: string): Promise<boolean> {
    return tx.manager.existsBy(EndedSessionEntity, { id: sessionId });
  },

  /** Forgets those that would be over by now anyway, and of the others all but the `most` that end last. */
  async purge(tx: Tx, now: Date, most: number): Promise<void> {
    await tx.query(
      `DELETE FROM mcp_ended_session WHERE expires <= $1
         OR id IN (SELECT id FROM mcp_ended_session ORDER BY expires DESC, id OFFSET $2)`,
      [now, most],
    );
  },
};
