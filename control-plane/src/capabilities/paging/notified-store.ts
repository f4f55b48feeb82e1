import type { Tx } from '../../platform/db/database.js';
import { uncounted } from './paging-store.js';

/** The messages about an incident to one person by one channel, or of one group. */
export interface NotifiedRow {
  incidentId: string;
  /** null where a group sent them. */
  userId: string | null;
  userName: string | null;
  groupId: string | null;
  groupName: string | null;
  channel: string;
  /** When the first one was delivered; null where none was. */
  at: Date | null;
  /** How many were given up. */
  failed: number;
}

/** What became of the messages about incidents. */
export const notifiedStore = {
  async outcomes(workspaceId: string, tx: Tx, incidentIds: readonly string[]): Promise<NotifiedRow[]> {
    return tx.query<NotifiedRow>(
      `WITH sent AS MATERIALIZED (
         SELECT e.incident_id, d.group_id, d.channel, CASE WHEN d.purpose LIKE 'page:%' THEN split_part(d.purpose, ':', 3)::uuid END AS user_id,
           min(d.finished_at) FILTER (WHERE d.state = 'delivered') AS at, count(*) FILTER (WHERE d.state = 'failed') AS failed
         FROM alert_event e JOIN delivery d ON d.event_id = e.id
         WHERE e.workspace_id = $1 AND e.incident_id = ANY ($2::uuid[]) AND d.state IN ('delivered', 'failed')
         GROUP BY 1, 2, 3, 4
       )
       SELECT sent.incident_id AS "incidentId", sent.user_id AS "userId", coalesce(person.name, person.email) AS "userName",
         sent.group_id AS "groupId", g.name AS "groupName", sent.channel, sent.at, sent.failed
       FROM sent LEFT JOIN action_group g ON g.id = sent.group_id
         LEFT JOIN reachable_member person ON person.workspace_id = $1 AND person.user_id = sent.user_id`,
      [workspaceId, incidentIds],
    );
  },

  /** When the next step of the paging for each incident is due, after the maintenance that delays it; those without one are left out. */
  async nextSteps(
    workspaceId: string,
    tx: Tx,
    incidentIds: readonly string[],
    now: Date,
  ): Promise<{ incidentId: string; at: Date }[]> {
    return tx.query(
      `SELECT incident_id AS "incidentId", min(due_at + coalesce(${uncounted('$3', 'covered.ends')}, interval '0')) AS at
       FROM incident_paging own WHERE workspace_id = $1 AND incident_id = ANY ($2::uuid[]) AND due_at IS NOT NULL GROUP BY 1`,
      [workspaceId, incidentIds, now],
    );
  },
};
