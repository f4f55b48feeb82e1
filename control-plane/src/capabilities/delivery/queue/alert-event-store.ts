import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import type { AlertEvent, LocationEventType } from '../../channels/index.js';

/** The NOTIFY channel that wakes the workers of all processes; they also poll. */
export const DELIVERY_CHANNEL = 'watchpost_delivery';
const WAKE = `pg_notify('${DELIVERY_CHANNEL}', '')`;

/** The outbox of events: each is inserted in the transaction in which it happens. */
export const alertEventStore = {
  /**
   * Stores each event with its monitor and incident as this transaction sees them.
   * @param fannedOut true: the groups of the monitor are not notified
   */
  async insert(tx: Tx, events: readonly (AlertEvent & { id: string })[], fannedOut = false): Promise<void> {
    await tx.query(
      `WITH inserted AS (INSERT INTO alert_event (id, workspace_id, monitor_key, type, incident_id, at, detail, fanned_out, subject)
       SELECT event.id, event.workspace_id, event.monitor_key, event.type, event.incident_id,
         'epoch'::timestamptz + at_ms * interval '1 ms', event.detail::jsonb, $8,
         jsonb_build_object('workspaceName', workspace.name, 'monitor', monitor.summary, 'incident', incident.summary,
           'person', coalesce(event.detail::jsonb ->> 'person', (SELECT coalesce(name, email) FROM user_account
                      WHERE id = (event.detail::jsonb ->> 'actorId')::uuid)))
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::uuid[], $6::bigint[], $7::text[])
         WITH ORDINALITY AS event (id, workspace_id, monitor_key, type, incident_id, at_ms, detail, place)
       JOIN workspace ON workspace.id = event.workspace_id
       LEFT JOIN alert_monitor monitor ON monitor.workspace_id = event.workspace_id AND monitor.key = event.monitor_key
       LEFT JOIN alert_incident incident
         ON incident.workspace_id = event.workspace_id AND incident.id = event.incident_id
       ORDER BY event.place)
       SELECT ${WAKE}`,
      [
        ...valuesOf(events, 'id', 'workspaceId', 'monitorKey', 'type', 'incidentId', 'atMs'),
        events.map(({ detail }) => jsonText(detail)),
        fannedOut,
      ],
    );
  },

  /** Stores events again, each for one group only; one that was purged is left out. */
  async repeatFor(
    tx: Tx,
    events: readonly { id: string; workspaceId: string; groupId: string; eventId: string }[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO alert_event (id, workspace_id, monitor_key, type, incident_id, at, detail, fanned_out, subject)
       SELECT again.id, event.workspace_id, monitor_key, type, incident_id, at,
         detail || jsonb_build_object('groupId', again.group_id), false, subject
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) WITH ORDINALITY AS again (id, workspace_id, group_id, event_id, place)
       JOIN alert_event event ON event.id = again.event_id AND event.workspace_id = again.workspace_id
       ORDER BY again.place`,
      valuesOf(events, 'id', 'workspaceId', 'groupId', 'eventId'),
    );
  },

  /** A test of a group: it has no monitor, and other groups are not notified. @returns the name of the workspace */
  async insertTest(
    workspaceId: string,
    tx: Tx,
    event: { id: string; at: Date; groupName: string; messages: number },
  ): Promise<string> {
    return tx.value(
      `INSERT INTO alert_event (id, workspace_id, type, at, fanned_out, detail, subject)
       SELECT $2, id, 'test', $3, true, jsonb_build_object('groupName', $4::text, 'messages', $5::integer),
         jsonb_build_object('workspaceName', name, 'monitor', null, 'incident', null, 'person', null)
       FROM workspace WHERE id = $1 RETURNING subject ->> 'workspaceName' AS "workspaceName"`,
      [workspaceId, event.id, event.at, event.groupName, event.messages],
    );
  },

  /** An event of a private location: it has no monitor, and names the groups that are notified. */
  async insertOfLocation(
    workspaceId: string,
    tx: Tx,
    event: { id: string; type: LocationEventType; at: Date; detail: object },
  ): Promise<void> {
    await tx.query(
      `WITH inserted AS (INSERT INTO alert_event (id, workspace_id, type, at, detail, subject)
       SELECT $2, id, $3, $4, $5::jsonb,
         jsonb_build_object('workspaceName', name, 'monitor', null, 'incident', null, 'person', null)
       FROM workspace WHERE id = $1)
       SELECT ${WAKE}`,
      [workspaceId, event.id, event.type, event.at, jsonText(event.detail)],
    );
  },

  /** The request to confirm a phone number: it has no monitor, and groups are not notified. */
  async insertConfirmation(workspaceId: string, tx: Tx, { id, at }: { id: string; at: Date }): Promise<void> {
    await tx.query(
      `WITH inserted AS (INSERT INTO alert_event (id, workspace_id, type, at, fanned_out, detail, subject)
       SELECT $2, id, 'confirmation', $3, true, '{}',
         jsonb_build_object('workspaceName', name, 'monitor', null, 'incident', null, 'person', null)
       FROM workspace WHERE id = $1)
       SELECT ${WAKE}`,
      [workspaceId, id, at],
    );
  },

  /** Deletes events and their deliveries; an event with a waiting delivery stays. @returns how many were deleted */
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

/** Stores an event of a private location, in the transaction in which it happens. */
export async function addLocationEvent(
  tx: Tx,
  workspaceId: string,
  event: { id: string; type: LocationEventType; at: Date; detail: object },
): Promise<void> {
  await alertEventStore.insertOfLocation(workspaceId, tx, event);
}

/** Wakes the workers when the transaction commits. Several calls in one transaction are one notification. */
export async function wakeDelivery(tx: Tx): Promise<void> {
  await tx.query(`SELECT ${WAKE}`);
}
