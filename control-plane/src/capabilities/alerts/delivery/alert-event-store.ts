import type { Tx } from '../../../platform/db/database.js';
import type { AlertEvent } from '../alert-event.js';

/** What workers of all processes are woken by, besides looking for themselves once in a while. */
export const DELIVERY_CHANNEL = 'watchpost_delivery';
const WAKE = `pg_notify('${DELIVERY_CHANNEL}', '')`;

/** What is to be told, written in the transaction of what happened. */
export const alertEventStore = {
  /**
   * With monitor and incident as they are now, within the transaction.
   * @param fannedOut whether the groups of the monitor have heard of it: then they do not again
   */
  async insert(tx: Tx, events: readonly (AlertEvent & { id: string })[], fannedOut = false): Promise<void> {
    await tx.query(
      `WITH told AS (INSERT INTO alert_event (id, workspace_id, monitor_key, type, incident_id, at, detail, fanned_out, subject)
       SELECT event.id, event.workspace_id, event.monitor_key, event.type, event.incident_id,
         'epoch'::timestamptz + at_ms * interval '1 ms', event.detail::jsonb, $8,
         jsonb_build_object('workspaceName', workspace.name, 'monitor', monitor.summary, 'incident', incident.summary,
           'person', (SELECT coalesce(name, email) FROM user_account
                      WHERE id = (event.detail::jsonb ->> 'actorId')::uuid))
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::uuid[], $6::bigint[], $7::text[])
         WITH ORDINALITY AS event (id, workspace_id, monitor_key, type, incident_id, at_ms, detail, place)
       JOIN workspace ON workspace.id = event.workspace_id
       LEFT JOIN alert_monitor monitor ON monitor.workspace_id = event.workspace_id AND monitor.key = event.monitor_key
       LEFT JOIN alert_incident incident
         ON incident.workspace_id = event.workspace_id AND incident.id = event.incident_id
       ORDER BY event.place)
       SELECT ${WAKE}`,
      [
        events.map(({ id }) => id),
        events.map(({ workspaceId }) => workspaceId),
        events.map(({ monitorKey }) => monitorKey),
        events.map(({ type }) => type),
        events.map(({ incidentId }) => incidentId),
        events.map(({ atMs }) => atMs),
        events.map(({ detail }) => JSON.stringify(detail)),
        fannedOut,
      ],
    );
  },

  /** A test of a group: of no monitor, and for nobody else. @returns what the workspace is called */
  async insertTest(
    workspaceId: string,
    tx: Tx,
    event: { id: string; at: Date; groupName: string; messages: number },
  ): Promise<string> {
    const [row] = await tx.query<{ workspaceName: string }>(
      `INSERT INTO alert_event (id, workspace_id, type, at, fanned_out, detail, subject)
       SELECT $2, id, 'test', $3, true, jsonb_build_object('groupName', $4::text, 'messages', $5::integer),
         jsonb_build_object('workspaceName', name, 'monitor', null, 'incident', null, 'person', null)
       FROM workspace WHERE id = $1 RETURNING subject ->> 'workspaceName' AS "workspaceName"`,
      [workspaceId, event.id, event.at, event.groupName, event.messages],
    );
    return row!.workspaceName;
  },

  /** The request to confirm a number: of no monitor, and for that number alone. */
  async insertConfirmation(workspaceId: string, tx: Tx, { id, at }: { id: string; at: Date }): Promise<void> {
    await tx.query(
      `WITH asked AS (INSERT INTO alert_event (id, workspace_id, type, at, fanned_out, detail, subject)
       SELECT $2, id, 'confirmation', $3, true, '{}',
         jsonb_build_object('workspaceName', name, 'monitor', null, 'incident', null, 'person', null)
       FROM workspace WHERE id = $1)
       SELECT ${WAKE}`,
      [workspaceId, id, at],
    );
  },

  /** With all deliveries of theirs; what still waits stays. @returns how many are gone */
  async purge(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      `WITH old AS (
         SELECT e.id FROM alert_event e WHERE e.at < $1 AND e.fanned_out
           AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.state = 'waiting')
         ORDER BY e.at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM alert_event USING old WHERE alert_event.id = old.id`,
      [before, limit],
    );
  },
};

/** Wakes the workers when the transaction commits; however often it is said, they hear it once. */
export async function wakeDelivery(tx: Tx): Promise<void> {
  await tx.query(`SELECT ${WAKE}`);
}
