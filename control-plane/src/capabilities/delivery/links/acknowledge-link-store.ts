import type { Tx } from '../../../platform/db/database.js';
import type { Role } from '../../../platform/identity/caller.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { valuesOf } from '../../../platform/db/values-of.js';

export interface OneIncident {
  workspaceId: string;
  incidentId: string;
  userId: string;
}

/** The person and the incidents that a link is for: one, or all of a joint message. */
export interface AcknowledgeLink {
  workspaceId: string;
  incidentIds: readonly string[];
  userId: string;
}

export interface JointLink extends AcknowledgeLink {
  hash: Buffer;
}

/** Links to acknowledge incidents, by the hash of their tokens. */
export const acknowledgeLinkStore = {
  async insert(tx: Tx, links: readonly (OneIncident & { hash: Buffer })[], expires: Date): Promise<void> {
    await tx.query(
      `INSERT INTO acknowledge_link (hash, workspace_id, incident_id, user_id, expires)
       SELECT hash, workspace_id, incident_id, user_id, $5
       FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[]) AS new (hash, workspace_id, incident_id, user_id)`,
      [...valuesOf(links, 'hash', 'workspaceId', 'incidentId', 'userId'), expires],
    );
  },

  /** Inserts links for several incidents each, unless the person or the first incident was deleted. */
  async insertJoint(tx: Tx, links: readonly JointLink[], expires: Date): Promise<void> {
    await tx.query(
      `INSERT INTO acknowledge_link (hash, workspace_id, incident_id, user_id, expires, incident_ids)
       SELECT decode(hash, 'hex'), "workspaceId", "incidentIds"[1], "userId", $2, "incidentIds"
       FROM jsonb_to_recordset($1) AS new (hash text, "workspaceId" uuid, "userId" uuid, "incidentIds" uuid[])
       WHERE EXISTS (SELECT FROM user_account WHERE id = "userId") AND EXISTS (SELECT FROM incident WHERE id = "incidentIds"[1])`,
      [jsonText(links.map(({ hash, ...link }) => ({ ...link, hash: hash.toString('hex') }))), expires],
    );
  },

  /** Finds a link by its token alone, which is the credential. @returns with the role of the person, null where it has none */
  async find(tx: Tx, hash: Buffer, now: Date): Promise<(AcknowledgeLink & { role: Role | null }) | undefined> {
    return tx.one(
      `SELECT link.workspace_id AS "workspaceId", coalesce(incident_ids, ARRAY[incident_id]) AS "incidentIds",
         link.user_id AS "userId", person.role
       FROM acknowledge_link link LEFT JOIN reachable_member person USING (workspace_id, user_id)
       WHERE hash = $1 AND expires > $2`,
      [hash, now],
    );
  },

  async remove(tx: Tx, hash: Buffer): Promise<void> {
    await tx.query('DELETE FROM acknowledge_link WHERE hash = $1', [hash]);
  },

  async purge(tx: Tx, now: Date): Promise<void> {
    await tx.query('DELETE FROM acknowledge_link WHERE expires <= $1', [now]);
  },
};
