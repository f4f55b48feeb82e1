import type { Tx } from '../../../platform/db/database.js';
import type { DisabledGroup } from '../group-limit-store.js';
import type { ActionGroupType } from '../action-group.js';
import type { EventSubject, MessageExtra, NotifiedEvent } from '../channels/alert-message.js';
import type { Refusal } from '../recipients/decide-admission.js';
import type { DeliveryState, NewDelivery } from './delivery.js';
import type { LeasedLane } from './delivery-lane.js';
import type { SealedGroup } from './resolve-destination.js';

/** A delivery that is due, with all that sending it needs. */
export interface DueDelivery {
  id: string;
  groupId: string | null;
  channel: ActionGroupType;
  address: string;
  purpose: string;
  extra: MessageExtra;
  throttled: boolean;
  /** The number of attempts before this one. */
  attempts: number;
  created: Date;
  incidentId: string | null;
  event: NotifiedEvent;
  group: SealedGroup | null;
}

/** A delivery as lists contain it. */
export interface DeliveryRow {
  id: string;
  eventId: string;
  eventType: string;
  incidentId: string | null;
  monitorId: string | null;
  channel: ActionGroupType;
  address: string;
  purpose: string;
  state: DeliveryState;
  attempts: number;
  statusCode: number | null;
  answer: string | null;
  error: Refusal | null;
  created: Date;
  lastAttempt: Date | null;
  nextAttempt: Date | null;
  finished: Date | null;
}

/** The result of an attempt. */
export interface TriedDelivery {
  id: string;
  state: DeliveryState;
  /** Whether a message was sent, or an attempt was made. */
  wasTried: boolean;
  statusCode: number | null;
  answer: string;
  /** Why the message was refused, as a code; null where an attempt was made. */
  error: Refusal | null;
  at: Date;
  nextAttempt: Date | null;
  messageId: string | null;
}

interface DueRow extends Omit<DueDelivery, 'event' | 'group'> {
  eventId: string;
  workspaceId: string;
  type: NotifiedEvent['type'];
  at: Date;
  detail: Record<string, unknown>;
  subject: EventSubject;
  isEnabled: boolean | null;
  settings: SealedGroup['settings'];
  secrets: Buffer | null;
  formerSecret: Buffer | null;
  formerSecretUntil: Date | null;
}

const SHOWN = `d.id, d.event_id AS "eventId", e.type AS "eventType", e.incident_id AS "incidentId",
  (e.subject -> 'monitor' ->> 'id')::uuid AS "monitorId", d.channel, d.address, d.purpose, d.state, d.attempts,
  d.status_code AS "statusCode", d.answer, d.error, d.created, d.last_attempt_at AS "lastAttempt",
  d.next_attempt_at AS "nextAttempt", d.finished_at AS finished`;

/** Deliveries: which destination was notified of which event. */
export const deliveryStore = {
  /** The first waiting deliveries of a lane, in order. */
  async due({ workspaceId, lane }: LeasedLane, tx: Tx, limit: number): Promise<DueDelivery[]> {
    const rows = await tx.query<DueRow>(
      `SELECT d.id, d.group_id AS "groupId", d.channel, d.address, d.purpose, d.extra, d.throttled, d.attempts, d.created,
         e.id AS "eventId", e.workspace_id AS "workspaceId", e.type, e.at, e.detail, e.subject,
         e.incident_id AS "incidentId", g.is_enabled AS "isEnabled", g.settings, g.secrets,
         g.former_secret AS "formerSecret", g.former_secret_until AS "formerSecretUntil"
       FROM delivery d JOIN alert_event e ON e.id = d.event_id LEFT JOIN action_group g ON g.id = d.group_id
       WHERE d.workspace_id = $1 AND d.lane = $2 AND d.state = 'waiting' ORDER BY d.seq LIMIT $3`,
      [workspaceId, lane, limit],
    );
    return rows.map(dueOf);
  },

  /** When messages were sent to a lane since a time; deliveries in one message count once. */
  async sentSince(
    { workspaceId, lane }: Pick<LeasedLane, 'workspaceId' | 'lane'>,
    tx: Tx,
    since: Date,
  ): Promise<number[]> {
    const rows = await tx.query<{ at: Date }>(
      `SELECT min(finished_at) AS at FROM delivery
       WHERE workspace_id = $1 AND lane = $2 AND channel = 'sms' AND state = 'delivered' AND finished_at > $3
       GROUP BY coalesce(message_id, id)`,
      [workspaceId, lane, since],
    );
    return rows.map(({ at }) => at.getTime());
  },

  /** Has the waiting deliveries of a lane sent in one message, not before `until`. */
  async throttle({ workspaceId, lane }: LeasedLane, tx: Tx, until: Date): Promise<void> {
    await tx.query(
      `UPDATE delivery SET throttled = true, next_attempt_at = $3 WHERE workspace_id = $1 AND lane = $2 AND state = 'waiting'`,
      [workspaceId, lane, until],
    );
  },

  /**
   * Stores the result of an attempt. A delivery that was sent is `delivered` even if it was cancelled meanwhile. `extra`
   * may contain a secret link, so it is emptied when the delivery is done.
   */
  async record(workspaceId: string, tx: Tx, tried: TriedDelivery): Promise<void> {
    const { id, state, wasTried, statusCode, answer, error, at, nextAttempt, messageId } = tried;
    await tx.query(
      `UPDATE delivery SET state = $3, attempts = attempts + $4::integer, status_code = $5, answer = $6,
         last_attempt_at = CASE WHEN $4::integer = 1 THEN $7 ELSE last_attempt_at END, next_attempt_at = $8,
         finished_at = CASE WHEN $3 = 'waiting' THEN NULL ELSE $7 END, message_id = $9,
         extra = CASE WHEN $3 = 'waiting' THEN extra ELSE '{}' END, error = $10
       WHERE workspace_id = $1 AND id = $2 AND (state = 'waiting' OR state = 'cancelled' AND $3 = 'delivered')`,
      [workspaceId, id, state, wasTried ? 1 : 0, statusCode, answer, at, nextAttempt, messageId, error],
    );
  },

  /** Inserts the delivery of a test with its outcome. */
  async insertTried(
    workspaceId: string,
    tx: Tx,
    delivery: NewDelivery,
    { state, wasTried, statusCode, answer, error, at }: Omit<TriedDelivery, 'id'>,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, state, attempts,
         status_code, answer, created, last_attempt_at, finished_at, error)
       VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $13::integer, $10, $11, $12::timestamptz, CASE WHEN $13 = 1 THEN $12::timestamptz END, $12::timestamptz, $14)`,
      [
        workspaceId,
        delivery.id,
        delivery.eventId,
        delivery.groupId,
        delivery.channel,
        delivery.address,
        delivery.lane,
        delivery.purpose,
        state,
        statusCode,
        answer,
        at,
        wasTried ? 1 : 0,
        error,
      ],
    );
  },

  /** Newest first. */
  async listOfGroup(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    page: { limit: number; offset: number },
  ): Promise<{ rows: DeliveryRow[]; total: number }> {
    const rows = await tx.query<DeliveryRow>(
      `SELECT ${SHOWN} FROM delivery d JOIN alert_event e ON e.id = d.event_id
       WHERE d.workspace_id = $1 AND d.group_id = $2 ORDER BY d.seq DESC LIMIT $3 OFFSET $4`,
      [workspaceId, groupId, page.limit, page.offset],
    );
    const [count] = await tx.query<{ total: number }>(
      'SELECT count(*) AS total FROM delivery WHERE workspace_id = $1 AND group_id = $2',
      [workspaceId, groupId],
    );
    return { rows, total: count!.total };
  },

  async ofEvent(workspaceId: string, tx: Tx, eventId: string): Promise<DeliveryRow[]> {
    return tx.query<DeliveryRow>(
      `SELECT ${SHOWN} FROM delivery d JOIN alert_event e ON e.id = d.event_id
       WHERE d.workspace_id = $1 AND d.event_id = $2 ORDER BY d.seq`,
      [workspaceId, eventId],
    );
  },

  /** The number of tests that a workspace has sent since a time, and of the messages in them. */
  async countTests(workspaceId: string, tx: Tx, since: Date): Promise<{ tests: number; messages: number }> {
    const [row] = await tx.query<{ tests: number; messages: number }>(
      `SELECT count(*) AS tests, coalesce(sum((detail ->> 'messages')::integer), 0)::integer AS messages
       FROM alert_event WHERE workspace_id = $1 AND type = 'test' AND at > $2`,
      [workspaceId, since],
    );
    return row!;
  },

  /** Cancels the waiting deliveries of an incident, for a purpose or (null) all. @returns how many */
  async cancelOfIncident(
    workspaceId: string,
    tx: Tx,
    { incidentId, purpose, answer, at }: { incidentId: string; purpose: string | null; answer: string; at: Date },
  ): Promise<number> {
    return tx.execute(
      `UPDATE delivery d SET state = 'cancelled', answer = $4, next_attempt_at = NULL, finished_at = $5, extra = '{}'
       FROM alert_event e
       WHERE d.workspace_id = $1 AND e.id = d.event_id AND e.incident_id = $2 AND d.state = 'waiting'
         AND ($3::text IS NULL OR d.purpose = $3 OR d.purpose LIKE $3 || ':%')`,
      [workspaceId, incidentId, purpose, answer, at],
    );
  },

  async group(workspaceId: string, tx: Tx, groupId: string): Promise<SealedGroup | null> {
    const [row] = await tx.query<SealedGroup>(
      `SELECT id, is_enabled AS "isEnabled", settings, secrets, former_secret AS "formerSecret",
         former_secret_until AS "formerSecretUntil"
       FROM action_group WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, groupId],
    );
    return row ?? null;
  },

  /** Disables a group. @returns the group if it was enabled */
  async disableGroup(workspaceId: string, tx: Tx, groupId: string, at: Date): Promise<DisabledGroup | undefined> {
    const [row] = await tx.query<DisabledGroup>(
      `UPDATE action_group SET is_enabled = false, last_modified = greatest($3, last_modified + interval '1 ms')
       WHERE workspace_id = $1 AND id = $2 AND is_enabled RETURNING workspace_id AS "workspaceId", id, name`,
      [workspaceId, groupId, at],
    );
    return row;
  },

  /** The waiting deliveries of all workspaces. */
  async backlog(tx: Tx): Promise<{ waiting: number; oldest: Date | null }> {
    const [row] = await tx.query<{ waiting: number; oldest: Date | null }>(
      `SELECT count(*) AS waiting, min(created) AS oldest FROM delivery WHERE state = 'waiting'`,
    );
    return row!;
  },
};

function dueOf(row: DueRow): DueDelivery {
  const { eventId, workspaceId, type, at, detail, subject, isEnabled, settings, secrets, ...rest } = row;
  const { formerSecret, formerSecretUntil, ...delivery } = rest;
  return {
    ...delivery,
    event: { id: eventId, workspaceId, type, atMs: at.getTime(), detail, subject },
    group:
      delivery.groupId === null || isEnabled === null
        ? null
        : { id: delivery.groupId, isEnabled, settings, secrets, formerSecret, formerSecretUntil },
  };
}
