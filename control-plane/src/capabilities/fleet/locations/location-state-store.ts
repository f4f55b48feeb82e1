import type { Tx } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';

/** A location without a sign of its agents for this long is silent. */
const SILENT_AFTER = "interval '2 minutes'";

/** `silent`: none of its agents is connected. `blind`: all that are reach none of their reference targets. */
export type LocationState = 'seeing' | 'silent' | 'blind';

export interface LocationStateRow {
  id: string;
  workspaceId: string;
  name: string;
  slug: string;
  notifyActionGroupIds: string[];
  /** As its groups were notified. */
  silentSince: Date | null;
  state: LocationState;
  lastSeen: Date;
  /** How many connected agents are of another version than `$2`. */
  outdated: number;
}

/** Locations of which an agent was ever connected, `$1` being the present time. */
const STATES = `SELECT location.id, location.workspace_id AS "workspaceId", location.name, location.slug,
    location.notify_action_group_ids AS "notifyActionGroupIds", location.silent_since AS "silentSince", agents.seen AS "lastSeen",
    agents.outdated, CASE WHEN agents.seeing > 0 THEN 'seeing' WHEN agents.blind > 0 THEN 'blind'
      WHEN agents.seen > $1::timestamptz - ${SILENT_AFTER} THEN 'seeing' ELSE 'silent' END AS state
  FROM private_location location CROSS JOIN LATERAL (
    SELECT max(last_seen) AS seen, count(*) FILTER (WHERE is_live AND visibility <> 'blind') AS seeing,
      count(*) FILTER (WHERE is_live AND visibility = 'blind') AS blind,
      count(*) FILTER (WHERE is_live AND version IS DISTINCT FROM $2) AS outdated
    FROM (SELECT *, status <> 'revoked' AND last_seen > $1::timestamptz - ${SILENT_AFTER} AS is_live
      FROM agent WHERE region = location.id::text AND workspace_id = location.workspace_id) AS agent
  ) AS agents
  WHERE location.deleted_at IS NULL AND agents.seen IS NOT NULL`;

export const locationStateStore = {
  async ofWorkspace(workspaceId: string, tx: Tx, now: Date, version: string): Promise<LocationStateRow[]> {
    return tx.query<LocationStateRow>(`${STATES} AND location.workspace_id = $3 ORDER BY location.name, location.id`, [
      now,
      version,
      workspaceId,
    ]);
  },

  /**
   * Of all workspaces: notes which are silent or blind, and which are not any more. Of several processes one notes it.
   * @returns those that have changed
   */
  async noteChanged(tx: Tx, now: Date, version: string): Promise<LocationStateRow[]> {
    return keptStatements(tx).query<LocationStateRow>(
      `UPDATE private_location target SET silent_since = CASE WHEN found.state <> 'seeing' THEN $1::timestamptz END
       FROM (${STATES}) AS found
       WHERE target.id = found.id AND (found.state = 'seeing') = (target.silent_since IS NOT NULL) RETURNING found.*`,
      [now, version],
    );
  },
};
