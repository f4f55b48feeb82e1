import type { Tx } from '../../../platform/db/database.js';
import { GROUP_PURPOSE, type NewDelivery } from './delivery.js';

/** 'watchdel' in ASCII: any number does, as long as it never changes. */
const FAN_OUT_LOCK = '8602284733556745580';
/** Most that may wait for one destination: what is more is given up, and shown so. */
export const MOST_WAITING = 1_000;
/** Events of one workspace in a batch: one event can make a delivery for each recipient of each of its groups. */
const MOST_OF_A_WORKSPACE = 10;

export type FannedOutDelivery = Omit<NewDelivery, 'id' | 'extra' | 'lane'>;

/** From events to deliveries, for all workspaces. */
export const fanOutStore = {
  /**
   * Until the transaction ends no other worker does the same: events reach each destination in the order in
   * which they happened.
   */
  async lock(tx: Tx): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${FAN_OUT_LOCK})`);
  },

  async hasPending(tx: Tx): Promise<boolean> {
    return (await tx.query('SELECT FROM alert_event WHERE NOT fanned_out LIMIT 1')).length > 0;
  },

  /**
   * Events without deliveries: the oldest few of each workspace in turn, from a workspace on.
   * @param after the workspaces are taken in the order of their ids, beginning behind this one
   */
  async pending(tx: Tx, limit: number, after: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `WITH RECURSIVE turn AS (
         SELECT $2::uuid AS workspace_id, false AS wrapped, 0 AS place
         UNION ALL
         SELECT next.workspace_id, next.wrapped, turn.place + 1
         FROM turn CROSS JOIN LATERAL (
           (SELECT workspace_id, turn.wrapped AS wrapped, 1 AS choice FROM alert_event
            WHERE NOT fanned_out AND workspace_id > turn.workspace_id ORDER BY workspace_id LIMIT 1)
           UNION ALL
           (SELECT workspace_id, true, 2 FROM alert_event
            WHERE NOT fanned_out AND NOT turn.wrapped ORDER BY workspace_id LIMIT 1)
           ORDER BY choice LIMIT 1
         ) AS next
         WHERE turn.place < $1::integer AND NOT (next.wrapped AND next.workspace_id > $2)
       ), few AS (
         SELECT event.id, event.seq, event.place, turn.place AS turn
         FROM turn CROSS JOIN LATERAL (
           SELECT id, seq, row_number() OVER (ORDER BY seq) AS place FROM alert_event
           WHERE workspace_id = turn.workspace_id AND NOT fanned_out ORDER BY seq LIMIT ${MOST_OF_A_WORKSPACE}
         ) AS event
         WHERE turn.place > 0
         ORDER BY event.place, turn.place LIMIT $1::integer
       )
       SELECT alert_event.id FROM alert_event JOIN few USING (id) WHERE NOT fanned_out ORDER BY alert_event.seq
       FOR UPDATE OF alert_event`,
      [limit, after],
    );
    return rows.map(({ id }) => id);
  },

  /**
   * Who is to hear of these events, in their order: the enabled groups of the monitor, and at an incident's end
   * also those that heard of it before, though the monitor may be gone. A mailbox or number that is in several
   * groups hears once.
   * @param audience pairs of type and channel, as `audience()` makes them
   */
  async destinations(tx: Tx, eventIds: readonly string[], audience: readonly string[]): Promise<FannedOutDelivery[]> {
    return tx.query<FannedOutDelivery>(
      `WITH event AS (
         SELECT id, seq, workspace_id, monitor_key, incident_id, type, coalesce((detail ->> 'minor')::boolean, false) AS minor
         FROM alert_event WHERE id = ANY ($1::uuid[])
       ), hearing AS (
         SELECT event.id AS event_id, attached.group_id
         FROM event JOIN action_group_monitor attached ON attached.monitor_key = event.monitor_key
         UNION
         SELECT event.id, earlier.group_id
         FROM event JOIN alert_event before ON before.incident_id = event.incident_id
         JOIN delivery earlier ON earlier.event_id = before.id
         WHERE event.type = 'incident.resolved' AND earlier.purpose = '${GROUP_PURPOSE}' AND earlier.group_id IS NOT NULL
       ), destination AS (
         SELECT DISTINCT ON (event.seq, g.type, lower(place.key))
           event.seq, event.id AS "eventId", event.workspace_id AS "workspaceId", g.id AS "groupId", g.type AS channel,
           place.address, place.key
         FROM hearing JOIN event ON event.id = hearing.event_id
         JOIN action_group g ON g.id = hearing.group_id AND g.workspace_id = event.workspace_id AND g.is_enabled
         CROSS JOIN LATERAL (
           SELECT address, address AS key FROM jsonb_array_elements_text(g.settings -> 'recipients') AS address
           WHERE g.type = 'email'
           UNION ALL
           SELECT address, address FROM jsonb_array_elements_text(g.settings -> 'phoneNumbers') AS address
           WHERE g.type = 'sms'
           UNION ALL
           SELECT coalesce(g.settings ->> 'url', g.settings ->> 'webhookUrl', ''), g.id::text
           WHERE g.type IN ('webhook', 'slack', 'teams')
         ) AS place
         WHERE event.type || '/' || g.type = ANY ($2::text[]) AND (g.type = 'webhook' OR NOT event.minor)
         ORDER BY event.seq, g.type, lower(place.key), g.created, g.id
       )
       SELECT "eventId", "workspaceId", "groupId", channel, address, '${GROUP_PURPOSE}' AS purpose
       FROM destination ORDER BY seq, channel, key`,
      [eventIds, audience],
    );
  },

  async markFannedOut(tx: Tx, eventIds: readonly string[]): Promise<void> {
    await tx.query('UPDATE alert_event SET fanned_out = true WHERE id = ANY ($1::uuid[])', [eventIds]);
  },

  /** In this order; one that there is already stays as it is. */
  async insert(tx: Tx, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
    await tx.query(
      `INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, extra, created, state,
         answer, next_attempt_at, finished_at)
       SELECT new.id, "workspaceId", "eventId", "groupId", channel, address, lane, purpose, extra, $2,
         CASE WHEN is_full THEN 'failed' ELSE 'waiting' END,
         CASE WHEN is_full THEN 'Too much waits for this destination already.' END,
         CASE WHEN is_full THEN NULL ELSE $2::timestamptz END, CASE WHEN is_full THEN $2::timestamptz END
       FROM jsonb_to_recordset($1) AS new (place integer, id uuid, "workspaceId" uuid, "eventId" uuid, "groupId" uuid,
         channel text, address text, lane text, purpose text, extra jsonb)
       CROSS JOIN LATERAL (SELECT count(*) >= ${MOST_WAITING} AS is_full FROM (
         SELECT FROM delivery waiting WHERE waiting.workspace_id = new."workspaceId" AND waiting.lane = new.lane
           AND waiting.state = 'waiting' LIMIT ${MOST_WAITING}) AS few) AS queue
       ORDER BY place
       ON CONFLICT (event_id, lane, purpose) DO NOTHING`,
      [JSON.stringify(deliveries.map((delivery, place) => ({ ...delivery, place }))), now],
    );
  },
};
