import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { type AlertEvent, CHANNELS, destinationFields } from '../../channels/index.js';
import { type StoredRules } from '../../group-settings/index.js';
import type { Notice } from '../rules/decide-notice.js';
import { GROUP_PURPOSE, type NewDelivery } from './delivery.js';

/** 'watchdel' in ASCII. Any number works as long as it never changes. */
const FAN_OUT_LOCK = '8602284733556745580';
/** The largest number of deliveries that wait for one destination; a further one fails at once. */
export const MAX_WAITING = 1_000;
/** The same of pages to one person, of which one message contains many. */
export const MAX_PAGES_WAITING = 10_000;
/** The answer of that one. */
export const LANE_FULL = 'Too many messages wait for this destination already.';
/** The error of a delivery that a rule of its group keeps from being sent. */
const NOT_SENT = 'not_sent';
/** The largest number of events of one workspace in a batch: one event can need many deliveries. */
const MAX_EVENTS_PER_WORKSPACE = 10;

/** The destinations of the group `g`: what is shown of them, and what identifies them. */
const PLACES = CHANNELS.map((channel) => {
  const { type, isPersonal } = channel;
  const fields = destinationFields(channel);
  return isPersonal
    ? `SELECT address, address AS key FROM jsonb_array_elements_text(g.settings -> '${fields[0]}') AS address WHERE g.type = '${type}'`
    : `SELECT coalesce(${fields.map((name) => `g.settings ->> '${name}', `).join('')}'') AS address, g.id::text AS key WHERE g.type = '${type}'`;
}).join(' UNION ALL ');
const PERSONAL = CHANNELS.flatMap(({ type, isPersonal }) => (isPersonal ? [`'${type}'`] : [])).join();
const TAKE_MINOR_EVENTS = CHANNELS.flatMap(({ type, takesMinorEvents }) =>
  takesMinorEvents ? [`'${type}'`] : [],
).join();

/** Whether the destination of the delivery `delivery` knows of its event. */
const IS_HEARD = `coalesce(delivery.error, '') NOT IN ('recipient_unconfirmed', '${NOT_SENT}')`;

/** The events that a channel does not send, such as `incident.acknowledged/sms`. */
const SKIPPED = `'{${CHANNELS.flatMap(({ type, skips = [] }) => skips.map((event) => `${event}/${type}`)).join()}}'::text[]`;

/** Whether events wait to be fanned out, as a condition of a due task. */
export const IS_FAN_OUT_DUE = 'EXISTS (SELECT FROM alert_event WHERE NOT fanned_out)';

export type FannedOutDelivery = Omit<NewDelivery, 'id' | 'extra' | 'lane'> & {
  incidentId: string | null;
  eventType: AlertEvent['type'];
};

/** A destination of an event, on which the rules of its group decide. */
export type FoundDestination = FannedOutDelivery & {
  /** Null: the group has no rules. */
  ruled: RuledNotice | null;
};

/** An event for a group with rules, without whether the group was notified of its incident. */
type RuledNotice = Omit<Notice, 'type' | 'isOfIncident' | 'isHeard'> & {
  rules: StoredRules;
  /** True if a step of an escalation policy has the group, which is then as one that was notified before. */
  isPage: boolean;
};

export interface PendingEvent {
  id: string;
  workspaceId: string;
}

export type FannedOutEvent = Pick<AlertEvent, 'workspaceId' | 'incidentId' | 'type'>;

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
    return tx.some('SELECT FROM alert_event WHERE NOT fanned_out LIMIT 1');
  },

  /**
   * Returns events without deliveries: the oldest few of each workspace in turn.
   * @param after the workspaces are taken in the order of their ids, beginning after this one
   */
  async pending(tx: Tx, limit: number, after: string): Promise<PendingEvent[]> {
    return tx.query<PendingEvent>(
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
       SELECT id, workspace_id AS "workspaceId" FROM alert_event WHERE id = ANY (ARRAY(SELECT id FROM few)) AND NOT fanned_out
       ORDER BY seq FOR UPDATE SKIP LOCKED`,
      [limit, after],
    );
  },

  /** Those of these events that are pending still, in the same order. */
  async pendingOf(tx: Tx, events: readonly PendingEvent[]): Promise<PendingEvent[]> {
    return tx.query<PendingEvent>(
      `SELECT id, workspace_id AS "workspaceId" FROM alert_event WHERE id = ANY ($1::uuid[]) AND NOT fanned_out ORDER BY seq FOR UPDATE`,
      [events.map(({ id }) => id)],
    );
  },

  /**
   * Returns the destinations of events, in the order of the events: those of the enabled groups of the monitor. When an
   * incident ends, the groups that were notified of it before are included, even if the monitor is deleted; of a recovery or
   * end only those are notified that were of its beginning, where that is still known. An event for one group, which is new to
   * an open incident, is for those who were not. An address or number in several groups is notified once. `OFFSET 0` keeps the lookups of groups, former events and deliveries apart: joined
   * as a whole, they follow statistics from before a storm and read all of them. Each group with rules is returned, as these decide
   * later which of those with one address sends. An event of a private location names its groups.
   */
  async destinations(tx: Tx, eventIds: readonly string[]): Promise<FoundDestination[]> {
    return tx.query<FoundDestination>(
      `WITH event AS (
         SELECT id, seq, workspace_id, monitor_key, incident_id, type, coalesce((detail ->> 'minor')::boolean, false) AS minor,
           (detail ->> 'groupId')::uuid AS only_group, (detail ->> 'exceptGroupId')::uuid AS except_group,
           ARRAY(SELECT jsonb_array_elements_text(detail -> 'groupIds')::uuid) AS group_ids, at, subject -> 'incident' AS incident,
           coalesce(detail ->> 'change' = 'reminded', false) AS reminds, coalesce((detail ->> 'hasWaited')::boolean, false) AS has_waited,
           type = 'incident.resolved' OR type = 'incident.updated' AND detail ->> 'change' IS NOT DISTINCT FROM 'recovered' AS ends
         FROM alert_event WHERE id = ANY ($1::uuid[])
       ), heard AS (
         SELECT event.id AS event_id, before.begins, earlier.group_id, earlier.channel, lower(earlier.address) AS address
         FROM event CROSS JOIN LATERAL (
           SELECT id, type = 'incident.opened' AND NOT detail ? 'groupId' AS begins FROM alert_event
           WHERE alert_event.incident_id = event.incident_id AND alert_event.seq < event.seq
             AND alert_event.type IN ('incident.opened', 'incident.updated') OFFSET 0
         ) AS before LEFT JOIN LATERAL (
           SELECT group_id, channel, address FROM delivery WHERE delivery.event_id = before.id
             AND delivery.purpose = '${GROUP_PURPOSE}' AND ${IS_HEARD} OFFSET 0
         ) AS earlier ON true
         WHERE event.ends OR event.only_group IS NOT NULL
       ), notified AS (
         SELECT event.id AS event_id, attached.group_id
         FROM event CROSS JOIN LATERAL (
           SELECT group_id FROM group_attachment WHERE group_attachment.monitor_key = event.monitor_key OFFSET 0) AS attached
         WHERE event.only_group IS NULL OR attached.group_id = event.only_group
         UNION
         SELECT id, unnest(group_ids) FROM event
         UNION
         SELECT event.id, heard.group_id FROM event JOIN heard ON heard.event_id = event.id
         WHERE event.type = 'incident.resolved' AND heard.group_id = coalesce(event.only_group, heard.group_id)
       ), destination AS (
         SELECT DISTINCT ON (event.seq, g.type, lower(place.key), ruled_id)
           event.seq, g.created, event.id AS "eventId", event.workspace_id AS "workspaceId", event.incident_id AS "incidentId",
           event.type AS "eventType", g.id AS "groupId", g.type AS channel,
           place.address, place.key,
           CASE WHEN ruled_id IS NULL THEN NULL ELSE jsonb_build_object('rules', g.rules, 'atMs', round(extract(epoch FROM event.at) * 1000),
             'severity', coalesce(event.incident ->> 'severity', 'warning'), 'isAcknowledged', coalesce((event.incident ->> 'acknowledged')::boolean, false),
             'isPage', event.only_group = ANY (event.group_ids), 'isEnd', event.ends, 'isMinor', event.minor, 'isReminder', event.reminds, 'hasWaited', event.has_waited) END AS ruled
         FROM notified JOIN event ON event.id = notified.event_id
         JOIN action_group g ON g.id = notified.group_id AND g.workspace_id = event.workspace_id AND g.is_enabled
           AND g.id IS DISTINCT FROM event.except_group
         CROSS JOIN LATERAL (SELECT CASE WHEN g.rules = '{}' THEN NULL ELSE g.id END AS ruled_id) AS distinct_from
         CROSS JOIN LATERAL (${PLACES}) AS place
         CROSS JOIN LATERAL (SELECT EXISTS (
           SELECT FROM heard WHERE heard.event_id = event.id AND CASE WHEN g.type IN (${PERSONAL})
             THEN heard.channel = g.type AND heard.address = lower(place.key) ELSE heard.group_id = g.id END
         ) OR EXISTS (
           SELECT FROM event first WHERE first.incident_id = event.incident_id AND first.type = 'incident.opened'
             AND first.seq < event.seq AND coalesce(first.only_group, g.id) = g.id
         ) AS is_notified, EXISTS (SELECT FROM heard WHERE heard.event_id = event.id AND heard.begins) AS is_known) AS beginning
         WHERE CASE WHEN event.ends THEN is_notified OR NOT is_known WHEN event.only_group IS NOT NULL AND event.type = 'incident.opened' THEN NOT is_notified ELSE true END AND event.type || '/' || g.type <> ALL (${SKIPPED}) AND (g.type IN (${TAKE_MINOR_EVENTS}) OR NOT event.minor)
         ORDER BY event.seq, g.type, lower(place.key), ruled_id, g.created, g.id
       )
       SELECT "eventId", "workspaceId", "incidentId", "eventType", "groupId", channel, address, '${GROUP_PURPOSE}' AS purpose, ruled
       FROM destination ORDER BY seq, channel, key, created, "groupId"`,
      [eventIds],
    );
  },

  /**
   * Of events and groups, those that know of the incident of the event: the group was notified of it, or its beginning is
   * not known any more.
   * @returns by `EVENT GROUP`
   */
  async heard(tx: Tx, asked: readonly { eventId: string; groupId: string }[]): Promise<Set<string>> {
    const known = await tx.column<string>(
      `SELECT asked.event_id || ' ' || asked.group_id
       FROM unnest($1::uuid[], $2::uuid[]) AS asked (event_id, group_id) JOIN alert_event event ON event.id = asked.event_id
       WHERE EXISTS (SELECT FROM alert_event before JOIN delivery ON delivery.event_id = before.id
           WHERE before.incident_id = event.incident_id AND before.seq < event.seq AND before.type IN ('incident.opened', 'incident.updated')
             AND delivery.group_id = asked.group_id AND delivery.purpose = '${GROUP_PURPOSE}' AND ${IS_HEARD})
         OR NOT EXISTS (SELECT FROM alert_event before WHERE before.incident_id = event.incident_id
           AND before.type = 'incident.opened' AND NOT before.detail ? 'groupId')`,
      [asked.map(({ eventId }) => eventId), asked.map(({ groupId }) => groupId)],
    );
    return new Set(known);
  },

  /** @returns those that were pending */
  async markFannedOut(tx: Tx, eventIds: readonly string[]): Promise<FannedOutEvent[]> {
    return tx.query<FannedOutEvent>(
      `UPDATE alert_event SET fanned_out = true WHERE id = ANY ($1::uuid[]) AND NOT fanned_out
       RETURNING workspace_id AS "workspaceId", incident_id AS "incidentId", type`,
      [eventIds],
    );
  },

  /**
   * Inserts deliveries in the given order; an existing one is left unchanged. Where too many wait already, it fails.
   * @returns the ids of those that failed
   */
  async insert(tx: Tx, deliveries: readonly (NewDelivery & { urgent: boolean })[], now: Date): Promise<Set<string>> {
    const rows = await tx.query<{ id: string; isFull: boolean }>(
      `WITH new AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset($1) AS new (place integer, id uuid, "workspaceId" uuid, "eventId" uuid, "groupId" uuid,
           channel text, address text, lane text, urgent boolean, purpose text, extra jsonb, cancelled text)
       ), queue AS MATERIALIZED (
         SELECT "workspaceId", lane, most, (SELECT count(*) FROM (
           SELECT FROM delivery waiting WHERE waiting.workspace_id = "workspaceId" AND waiting.lane = own.lane
             AND waiting.state = 'waiting' LIMIT most) AS few) AS waiting
         FROM (SELECT DISTINCT "workspaceId", lane, CASE WHEN urgent THEN ${MAX_PAGES_WAITING} ELSE ${MAX_WAITING} END AS most
           FROM new) AS own
       )
       INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, extra, created, state,
         answer, error, next_attempt_at, finished_at)
       SELECT new.id, "workspaceId", "eventId", "groupId", channel, address, lane, purpose, extra, $2,
         CASE WHEN cancelled IS NOT NULL THEN 'cancelled' WHEN is_full THEN 'failed' ELSE 'waiting' END,
         CASE WHEN cancelled IS NOT NULL THEN cancelled WHEN is_full THEN $3 END,
         CASE WHEN cancelled IS NOT NULL THEN '${NOT_SENT}' END,
         CASE WHEN is_done THEN NULL ELSE $2::timestamptz END, CASE WHEN is_done THEN $2::timestamptz END
       FROM (SELECT new.*, cancelled IS NOT NULL OR is_full AS is_done FROM (SELECT new.*, queue.waiting + row_number() OVER (PARTITION BY "workspaceId", lane ORDER BY place) > queue.most AS is_full
         FROM new JOIN queue USING ("workspaceId", lane)) AS new) AS new
       ORDER BY place
       ON CONFLICT (event_id, lane, purpose) DO NOTHING RETURNING id, state = 'failed' AS "isFull"`,
      [jsonText(deliveries.map((delivery, place) => ({ ...delivery, place }))), now, LANE_FULL],
    );
    return new Set(rows.filter(({ isFull }) => isFull).map(({ id }) => id));
  },
};
