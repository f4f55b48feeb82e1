import type { Tx } from '../db/database.js';
import type { AlertEvent } from './publish-events.js';

/** What is to be told, written in the transaction of what happened. */
export const alertEventStore = {
  async insert(tx: Tx, events: readonly (AlertEvent & { id: string })[]): Promise<void> {
    await tx.query(
      `INSERT INTO alert_event (id, workspace_id, monitor_key, type, incident_id, at, detail)
       SELECT id, workspace_id, monitor_key, type, incident_id, 'epoch'::timestamptz + at_ms * interval '1 ms', detail::jsonb
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::uuid[], $6::bigint[], $7::text[])
         AS event (id, workspace_id, monitor_key, type, incident_id, at_ms, detail)`,
      [
        events.map(({ id }) => id),
        events.map(({ workspaceId }) => workspaceId),
        events.map(({ monitorKey }) => monitorKey),
        events.map(({ type }) => type),
        events.map(({ incidentId }) => incidentId),
        events.map(({ atMs }) => atMs),
        events.map(({ detail }) => JSON.stringify(detail)),
      ],
    );
  },
};
