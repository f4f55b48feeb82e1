import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import type { AlertEventType } from '../alert-event.js';
import { CHANNELS } from '../channels/registry.js';
import { GROUP_PURPOSE, type NewDelivery } from './delivery.js';

/** 'watchdel' in ASCII. Any number works as long as it never changes. */
const FAN_OUT_LOCK = '8602284733556745580';
/** The largest number of deliveries that wait for one destination; a further one fails at once. */
export const MAX_WAITING = 1_000;
/** The same of pages to one person, of which one message contains many. */
export const MAX_PAGES_WAITING = 10_000;
/** The answer of that one. */
export const LANE_FULL = 'Too many messages wait for this destination already.';
/** The largest number of events of one workspace in a batch: one event can need many deliveries. */
const MAX_EVENTS_PER_WORKSPACE = 10;

/** The destinations of the group `g`: what is shown of them, and what identifies them. */
const PLACES = CHANNELS.map(({ type, destination, isPersonal }) =>
  isPersonal
    ? `SELECT address, address AS key FROM jsonb_array_elements_text(g.settings -> '${destination}') AS address WHERE g.type = '${type}'`
    : `SELECT coalesce(g.settings ->> '${destination}', '') AS address, g.id::text AS key WHERE g.type = '${type}'`,
).join(' UNION ALL ');
const TAKE_MINOR_EVENTS = CHANNELS.flatMap(({ type, takesMinorEvents }) =>
  takesMinorEvents ? [`'${type}'`] : [],
).join();

/** Whether events wait to be fanned out, as a condition of a due task. */
export const IS_FAN_OUT_DUE = 'EXISTS (SELECT FROM alert_event WHERE NOT fanned_out)';

export type FannedOutDelivery = Omit<NewDelivery, 'id' | 'extra' | 'lane'> & {
  incidentId: string | null;
  eventType: AlertEventType;
};

/** Turns events into deliveries, for all workspaces. */
export const fanOutStore = {
  /**
   * Keeps other workers from fanning out until the transaction ends, so that events reach each destination in the order
   * in which they happened.
   */
  async lock(tx: Tx): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${FAN_OUT_LOCK})`);
  },

  async hasPending(tx: Tx): Promise<boolean> {
    return (await tx.query('SELECT FROM alert_event WHERE NOT fanned_out LIMIT 1')).length > 0;
  },

  /**
   * Returns events without deliveries: the oldest few of each workspace in turn.
   * @param after the workspaces are taken in the order of their ids, beginning after this one
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
           WHERE workspace_id = turn.workspace_id AND NOT fanned_out ORDER BY seq LIMIT ${MAX_EVENTS_PER_WORKSPACE}
         ) AS event
         WHERE turn.place > 0
         ORDER BY event.place, turn.place LIMIT $1::integer
       )
       SELECT id FROM alert_event WHERE id = ANY (ARRAY(SELECT id FROM few)) AND NOT fanned_out ORDER BY seq FOR UPDATE`,
      [limit, after],
    );
    return rows.map(({ id }) => id);
  },

  /**
   * Returns the destinations of events, in the order of the events: those of the enabled groups of the monitor. When an
   * incident ends, the groups that were notified of it before are included, even if the monitor is deleted. An address
   * or number in several groups is notified once. `OFFSET 0` keeps the lookups of former events and deliveries apart: joined
   * as a whole, they follow statistics from before a storm and read all of them.
   * @param eventChannels as returned by `eventChannelPairs`
   */
  async destinations(
    tx: Tx,
    eventIds: readonly string[],
    eventChannels: readonly string[],
  ): Promise<FannedOutDelivery[]> {
    return tx.query<FannedOutDelivery>(
      `WITH event AS (
         SELECT id, seq, workspace_id, monitor_key, incident_id, type, coalesce((detail ->> 'minor')::boolean, false) AS minor
         FROM alert_event WHERE id = ANY ($1::uuid[])
       ), notified AS (
         SELECT event.id AS event_id, attached.group_id
         FROM event JOIN action_group_monitor attached ON attached.monitor_key = event.monitor_key
         UNION
         SELECT event.id, earlier.group_id FROM event CROSS JOIN LATERAL (
           SELECT id FROM alert_event WHERE alert_event.incident_id = event.incident_id OFFSET 0
         ) AS before CROSS JOIN LATERAL (
           SELECT group_id, purpose FROM delivery WHERE delivery.event_id = before.id OFFSET 0
         ) AS earlier
         WHERE event.type = 'incident.resolved' AND earlier.purpose = '${GROUP_PURPOSE}' AND earlier.group_id IS NOT NULL
       ), destination AS (
         SELECT DISTINCT ON (event.seq, g.type, lower(place.key))
           event.seq, event.id AS "eventId", event.workspace_id AS "workspaceId", event.incident_id AS "incidentId",
           event.type AS "eventType", g.id AS "groupId", g.type AS channel,
           place.address, place.key
         FROM notified JOIN event ON event.id = notified.event_id
         JOIN action_group g ON g.id = notified.group_id AND g.workspace_id = event.workspace_id AND g.is_enabled
         CROSS JOIN LATERAL (${PLACES}) AS place
         WHERE event.type || '/' || g.type = ANY ($2::text[]) AND (g.type IN (${TAKE_MINOR_EVENTS}) OR NOT event.minor)
         ORDER BY event.seq, g.type, lower(place.key), g.created, g.id
       )
       SELECT "eventId", "workspaceId", "incidentId", "eventType", "groupId", channel, address, '${GROUP_PURPOSE}' AS purpose
       FROM destination ORDER BY seq, channel, key`,
      [eventIds, eventChannels],
    );
  },

  async markFannedOut(tx: Tx, eventIds: readonly string[]): Promise<void> {
    await tx.query('UPDATE alert_event SET fanned_out = true WHERE id = ANY ($1::uuid[])', [eventIds]);
  },

  /**
   * Inserts deliveries in the given order; an existing one is left unchanged. Where too many wait already, it fails.
   * @returns the ids of those that failed
   */
  async insert(tx: Tx, deliveries: readonly (NewDelivery & { urgent: boolean })[], now: Date): Promise<Set<string>> {
    const rows = await tx.query<{ id: string; isFull: boolean }>(
      `WITH new AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset($1) AS new (place integer, id uuid, "workspaceId" uuid, "eventId" uuid, "groupId" uuid,
           channel text, address text, lane text, urgent boolean, purpose text, extra jsonb)
       ), queue AS MATERIALIZED (
         SELECT "workspaceId", lane, most, (SELECT count(*) FROM (
           SELECT FROM delivery waiting WHERE waiting.workspace_id = "workspaceId" AND waiting.lane = own.lane
             AND waiting.state = 'waiting' LIMIT most) AS few) AS waiting
         FROM (SELECT DISTINCT "workspaceId", lane, CASE WHEN urgent THEN ${MAX_PAGES_WAITING} ELSE ${MAX_WAITING} END AS most
           FROM new) AS own
       )
       INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, extra, created, state,
         answer, next_attempt_at, finished_at)
       SELECT new.id, "workspaceId", "eventId", "groupId", channel, address, lane, purpose, extra, $2,
         CASE WHEN is_full THEN 'failed' ELSE 'waiting' END,
         CASE WHEN is_full THEN $3 END,
         CASE WHEN is_full THEN NULL ELSE $2::timestamptz END, CASE WHEN is_full THEN $2::timestamptz END
       FROM (SELECT new.*, queue.waiting + row_number() OVER (PARTITION BY "workspaceId", lane ORDER BY place) > queue.most AS is_full
         FROM new JOIN queue USING ("workspaceId", lane)) AS new
       ORDER BY place
       ON CONFLICT (event_id, lane, purpose) DO NOTHING RETURNING id, state = 'failed' AS "isFull"`,
      [jsonText(deliveries.map((delivery, place) => ({ ...delivery, place }))), now, LANE_FULL],
    );
    return new Set(rows.filter(({ isFull }) => isFull).map(({ id }) => id));
  },
};
