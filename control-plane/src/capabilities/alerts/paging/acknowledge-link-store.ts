import type { Tx } from '../../../platform/db/database.js';

/** The person and the incident that a link is for. */
export interface AcknowledgeLink {
  workspaceId: string;
  incidentId: string;
  userId: string;
}

/** Links to acknowledge incidents, by the hash of their tokens. */
export const acknowledgeLinkStore = {
  async insert(tx: Tx, links: readonly (AcknowledgeLink & { hash: Buffer })[], expires: Date): Promise<void> {
    await tx.query(
      `INSERT INTO acknowledge_link (hash, workspace_id, incident_id, user_id, expires)
       SELECT hash, workspace_id, incident_id, user_id, $5
       FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[]) AS new (hash, workspace_id, incident_id, user_id)`,
      [
        links.map(({ hash }) => hash),
        links.map(({ workspaceId }) => workspaceId),
        links.map(({ incidentId }) => incidentId),
        links.map(({ userId }) => userId),
        expires,
      ],
    );
  },

  /** Finds a link by its token alone, which is the credential. */
  async find(tx: Tx, hash: Buffer, now: Date): Promise<AcknowledgeLink | undefined> {
    const [row] = await tx.query<AcknowledgeLink>(
      `SELECT workspace_id AS "workspaceId", incident_id AS "incidentId", user_id AS "userId" FROM acknowledge_link
       WHERE hash = $1 AND expires > $2`,
      [hash, now],
    );
    return row;
  },

  async remove(tx: Tx, hash: Buffer): Promise<void> {
    await tx.query('DELETE FROM acknowledge_link WHERE hash = $1', [hash]);
  },

  async purge(tx: Tx, now: Date): Promise<void> {
    await tx.query('DELETE FROM acknowledge_link WHERE expires <= $1', [now]);
  },
};
