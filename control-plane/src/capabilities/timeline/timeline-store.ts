import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import type { TimelineEntry, TimelineRow } from './timeline-event.js';

export const timelineStore = {
  /** Adds events to the timelines of incidents of all workspaces, each in its own; those of erased incidents are dropped. */
  async add(tx: Tx, entries: readonly TimelineEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await tx.query(
      `INSERT INTO incident_event (workspace_id, incident_id, at, type, actor, detail)
       SELECT "workspaceId", "incidentId", at, type, "actorId", detail
       FROM jsonb_to_recordset($1) AS event ("workspaceId" uuid, "incidentId" uuid, at timestamptz, type text,
         "actorId" uuid, detail jsonb, place integer)
       WHERE EXISTS (SELECT FROM incident WHERE incident.id = event."incidentId" AND incident.workspace_id = event."workspaceId")
       ORDER BY place`,
      [
        jsonText(
          entries.map(({ workspaceId, incidentId, event }, place) => ({
            place,
            workspaceId,
            incidentId,
            at: new Date(event.atMs),
            type: event.type,
            actorId: event.actorId,
            detail: event.detail,
          })),
        ),
      ],
    );
  },

  /** The newest `limit` events, oldest first. A closing with a reason has the `person` who caused it in its detail. */
  async newest(workspaceId: string, tx: Tx, incidentId: string, limit: number): Promise<TimelineRow[]> {
    const rows = await tx.query<TimelineRow>(
      `SELECT at, type, actor, CASE WHEN type <> 'closed' OR NOT detail ? 'reason' THEN detail
         ELSE detail || jsonb_strip_nulls(jsonb_build_object('person',
           (SELECT coalesce(name, email) FROM user_account WHERE id = actor))) END AS detail
       FROM incident_event WHERE workspace_id = $1 AND incident_id = $2
       ORDER BY at DESC, seq DESC LIMIT $3`,
      [workspaceId, incidentId, limit],
    );
    return rows.reverse();
  },
};
