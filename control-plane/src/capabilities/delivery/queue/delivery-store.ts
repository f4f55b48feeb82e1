import type { ListPage, Rows, Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import type { MessageHandle } from '../../../platform/mail/send-outcome.js';
import type { DisabledGroup } from '../sending/disabled-group.js';
import type { ActionGroupType, MessageExtra, NotifiedEvent } from '../../channels/index.js';
import type { SealedGroup } from '../../group-settings/index.js';
import type { Refusal } from '../admission/decide-admission.js';
import type { DeliveryView } from '../reading/delivery-schemas.js';
import type { DeliveryState, NewDelivery } from './delivery.js';
import type { LeasedLane } from './delivery-lane.js';
import { ATTEMPTS_KEPT, type LoggedAttempt } from '../sending/logged-attempt.js';

export interface DueDelivery {
  id: string;
  groupId: string | null;
  channel: ActionGroupType;
  address: string;
  purpose: string;
  /** True if it is a page of a person who is no active member of the workspace any more. */
  isGone: boolean;
  extra: MessageExtra;
  throttled: boolean;
  /** The number of attempts before this one. */
  attempts: number;
  /** The message that contains it, where that is fixed. */
  messageId: string | null;
  created: Date;
  incidentId: string | null;
  /** Of the message of the incident in the chat of the group. */
  handle: MessageHandle | null;
  event: NotifiedEvent;
  group: SealedGroup | null;
}

export interface NamedGroup extends SealedGroup {
  type: ActionGroupType;
  name: string;
}

type Moment = 'created' | 'lastAttempt' | 'nextAttempt' | 'finished';

export type DeliveryRow = Omit<DeliveryView, Moment | 'userId' | 'destination'> & {
  address: string;
  created: Date;
} & Record<Exclude<Moment, 'created'>, Date | null>;

export interface TriedDelivery {
  workspaceId: string;
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
  attempt: LoggedAttempt | null;
}

export interface JoinedDeliveryRow {
  workspaceId: string;
  id: string;
  messageId: string;
  /** Is added to what the message contains beside the event. */
  extra: MessageExtra;
}

interface DueRow extends Omit<DueDelivery, 'event' | 'group'> {
  eventId: string;
  workspaceId: string;
  type: NotifiedEvent['type'];
  at: Date;
  detail: Record<string, unknown>;
  subject: NotifiedEvent['subject'];
  isEnabled: boolean | null;
  settings: SealedGroup['settings'];
  rules: SealedGroup['rules'];
  secrets: Buffer | null;
  formerSecret: Buffer | null;
  formerSecretUntil: Date | null;
}

const SHOWN = `d.id, d.event_id AS "eventId", e.type AS "eventType", e.incident_id AS "incidentId",
  (e.subject -> 'monitor' ->> 'id')::uuid AS "monitorId",
  e.subject -> 'monitor' ->> 'name' AS "monitorName", d.group_id AS "actionGroupId", g.name AS "actionGroupName", d.channel, d.address, d.purpose, d.state, d.attempts,
  d.status_code AS "statusCode", d.answer, d.error, d.created, d.last_attempt_at AS "lastAttempt",
  d.next_attempt_at AS "nextAttempt", d.finished_at AS finished`;
const TABLES = 'delivery d JOIN alert_event e ON e.id = d.event_id LEFT JOIN action_group g ON g.id = d.group_id';

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  channel?: ActionGroupType | undefined;
  incidentId?: string | undefined;
  monitorId?: string | undefined;
  actionGroupId?: string | undefined;
  /** On `created`, ms since the epoch: inclusive and exclusive. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

/** The conditions of a filter: only the requested ones, so that the plan fits them. */
function matches(workspaceId: string, filter: DeliveryFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [workspaceId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['d.workspace_id = $1'];
  const { state, channel, incidentId, monitorId, actionGroupId, fromMs, toMs } = filter;
  if (state !== undefined) conditions.push(`d.state = ${parameter(state)}`);
  if (channel !== undefined) conditions.push(`d.channel = ${parameter(channel)}`);
  if (incidentId !== undefined)
    conditions.push(
      `d.event_id IN (SELECT id FROM alert_event WHERE workspace_id = $1 AND incident_id = ${parameter(incidentId)})`,
    );
  if (monitorId !== undefined)
    conditions.push(`d.event_id IN (SELECT id FROM alert_event WHERE workspace_id = $1 AND monitor_key =
      (SELECT key FROM monitor WHERE workspace_id = $1 AND id = ${parameter(monitorId)}))`);
  if (actionGroupId !== undefined) conditions.push(`d.group_id = ${parameter(actionGroupId)}`);
  if (fromMs !== undefined) conditions.push(`d.created >= ${parameter(new Date(fromMs))}`);
  if (toMs !== undefined) conditions.push(`d.created < ${parameter(new Date(toMs))}`);
  return { where: conditions.join(' AND '), values };
}

/** Deliveries: which destination was notified of which event. */
export const deliveryStore = {
  /** The first waiting deliveries of each of these lanes, in order. */
  async dueOfLanes(tx: Tx, asked: readonly { lane: LeasedLane; limit: number }[]): Promise<DueDelivery[][]> {
    const rows = await keptStatements(tx).query<DueRow & { place: number }>(
      `SELECT asked.place::integer, d.id, d.group_id AS "groupId", d.channel, d.address, d.purpose, d.extra, d.throttled,
         d.attempts, d.message_id AS "messageId", d.created, e.id AS "eventId", e.workspace_id AS "workspaceId", e.type, e.at, e.detail, e.subject,
         e.incident_id AS "incidentId", sent.handle, g.is_enabled AS "isEnabled", g.settings, g.rules, g.secrets,
         g.former_secret AS "formerSecret", g.former_secret_until AS "formerSecretUntil",
         CASE WHEN d.purpose LIKE 'page:%:%' THEN NOT EXISTS (SELECT FROM reachable_member member
           WHERE member.workspace_id = d.workspace_id AND member.user_id = CASE
             WHEN split_part(d.purpose, ':', 3) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN split_part(d.purpose, ':', 3)::uuid END)
           ELSE false END AS "isGone"
       FROM unnest($1::uuid[], $2::text[], $3::integer[]) WITH ORDINALITY AS asked (workspace_id, lane, most, place)
       CROSS JOIN LATERAL (
         SELECT * FROM delivery waiting
         WHERE waiting.workspace_id = asked.workspace_id AND waiting.lane = asked.lane AND waiting.state = 'waiting'
         ORDER BY waiting.seq LIMIT asked.most
       ) AS d
       JOIN alert_event e ON e.id = d.event_id LEFT JOIN action_group g ON g.id = d.group_id
       LEFT JOIN channel_message sent ON sent.incident_id = e.incident_id AND sent.group_id = d.group_id
       ORDER BY asked.place, d.seq`,
      [asked.map(({ lane }) => lane.workspaceId), asked.map(({ lane }) => lane.lane), asked.map(({ limit }) => limit)],
    );
    const due = asked.map((): DueDelivery[] => []);
    for (const { place, ...row } of rows) due[place - 1]!.push(dueOf(row));
    return due;
  },

  /**
   * Fixes which message contains deliveries, before its first attempt. Without those that are not waiting any more, or that
   * another transaction changes now: waiting for it could end in a deadlock.
   * @returns the ids of those that it contains
   */
  async join(tx: Tx, joined: readonly JoinedDeliveryRow[]): Promise<Set<string>> {
    const ids = joined.map(({ id }) => id);
    return new Set(
      await keptStatements(tx).column<string>(
        `WITH free AS (
         SELECT d.id, joined.message_id, joined.extra
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::jsonb[]) AS joined (workspace_id, id, message_id, extra)
         JOIN delivery d ON d.id = joined.id AND d.id = ANY ($2) AND d.workspace_id = joined.workspace_id
         WHERE d.state = 'waiting' AND d.message_id IS NULL FOR UPDATE OF d SKIP LOCKED
       )
       UPDATE delivery d SET message_id = free.message_id, extra = d.extra || free.extra
       FROM free WHERE d.id = free.id AND d.id = ANY ($2) RETURNING d.id`,
        [
          joined.map(({ workspaceId }) => workspaceId),
          ids,
          joined.map(({ messageId }) => messageId),
          joined.map(({ extra }) => jsonText(extra)),
        ],
      ),
    );
  },

  /** When messages were sent to a lane since a time; deliveries in one message count once. */
  async sentSince(
    { workspaceId, lane }: Pick<LeasedLane, 'workspaceId' | 'lane'>,
    tx: Tx,
    since: Date,
  ): Promise<number[]> {
    const rows = await tx.query<{ at: Date }>(
      `SELECT min(finished_at) AS at FROM delivery
       WHERE workspace_id = $1 AND lane = $2 AND channel IN ('sms', 'voice') AND state = 'delivered' AND finished_at > $3
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
   * Stores the results of attempts, in a transaction that reads by index. A delivery that was sent is `delivered` even if it
   * was cancelled meanwhile. `extra` may contain a secret link, so it is emptied when the delivery is done.
   */
  async record(tx: Tx, tried: readonly TriedDelivery[]): Promise<void> {
    await tx.query(
      `UPDATE delivery d SET state = tried.state, attempts = attempts + tried."wasTried"::integer,
         status_code = tried."statusCode", answer = tried.answer,
         last_attempt_at = CASE WHEN tried."wasTried" THEN tried.at ELSE last_attempt_at END,
         next_attempt_at = tried."nextAttempt", finished_at = CASE WHEN tried.state = 'waiting' THEN NULL ELSE tried.at END,
         message_id = tried."messageId", extra = CASE WHEN tried.state = 'waiting' THEN extra ELSE '{}' END,
         error = tried.error,
         attempt_log = CASE WHEN jsonb_typeof(tried.attempt) IS DISTINCT FROM 'object' THEN attempt_log
           WHEN jsonb_array_length(attempt_log) < ${ATTEMPTS_KEPT} THEN attempt_log || tried.attempt
           ELSE (attempt_log - 0) || tried.attempt END
       FROM jsonb_to_recordset($1) AS tried ("workspaceId" uuid, id uuid, state text, "wasTried" boolean, "statusCode" integer,
         answer text, error text, at timestamptz, "nextAttempt" timestamptz, "messageId" uuid, attempt jsonb)
       WHERE d.id = tried.id AND d.workspace_id = tried."workspaceId"
         AND (d.state = 'waiting' OR d.state = 'cancelled' AND tried.state = 'delivered')`,
      [jsonText(tried)],
    );
  },

  async insertTried(
    workspaceId: string,
    tx: Tx,
    delivery: NewDelivery,
    { state, wasTried, statusCode, answer, error, at, attempt }: Omit<TriedDelivery, 'id' | 'workspaceId'>,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO delivery (id, workspace_id, event_id, group_id, channel, address, lane, purpose, state, attempts,
         status_code, answer, created, last_attempt_at, finished_at, error, attempt_log)
       VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $13::integer, $10, $11, $12::timestamptz, CASE WHEN $13 = 1 THEN $12::timestamptz END, $12::timestamptz, $14, $15)`,
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
        jsonText(attempt ? [attempt] : []),
      ],
    );
  },

  async find(
    workspaceId: string,
    tx: Tx,
    id: string,
  ): Promise<(DeliveryRow & { attemptLog: LoggedAttempt[] }) | undefined> {
    return tx.one(
      `SELECT ${SHOWN}, d.attempt_log AS "attemptLog" FROM ${TABLES} WHERE d.workspace_id = $1 AND d.id = $2`,
      [workspaceId, id],
    );
  },

  /** Newest first. */
  async listOfGroup(workspaceId: string, tx: Tx, groupId: string, rows: Rows): Promise<ListPage<DeliveryRow>> {
    const where = 'd.workspace_id = $1 AND d.group_id = $2';
    const list = { columns: SHOWN, from: TABLES, counted: 'delivery d', where, orderBy: 'd.seq DESC' };
    return tx.page(list, [workspaceId, groupId], rows);
  },

  /** Newest first. */
  async list(workspaceId: string, tx: Tx, filter: DeliveryFilter, page: Rows): Promise<ListPage<DeliveryRow>> {
    const { where, values } = matches(workspaceId, filter);
    const total = await tx.value<number>(`SELECT count(*) FROM delivery d WHERE ${where}`, values);
    // The rows of the list page are found before they are joined.
    const rows = await tx.query<DeliveryRow>(
      `WITH page AS MATERIALIZED (
         SELECT d.id AS page_id FROM delivery d WHERE ${where} ORDER BY d.seq DESC
         LIMIT $${values.length + 1} OFFSET $${values.length + 2}
       )
       SELECT ${SHOWN} FROM ${TABLES} JOIN page ON page_id = d.id WHERE d.workspace_id = $1 ORDER BY d.seq DESC`,
      [...values, page.limit, page.offset],
    );
    return { items: rows, total };
  },

  /** The latest delivery of each group, and the latest that failed of its last `among`. */
  async latest(
    workspaceId: string,
    tx: Tx,
    groupIds: readonly string[],
    among: number,
  ): Promise<{ groupId: string; latest: DeliveryRow | null; latestFailed: DeliveryRow | null }[]> {
    const known = await tx.query<{ id: string }>(
      'SELECT id FROM action_group WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [workspaceId, groupIds],
    );
    const rows = await tx.query<DeliveryRow & { isFailure: boolean }>(
      `WITH recent AS MATERIALIZED (
         SELECT one.* FROM unnest($2::uuid[]) AS wanted (group_id) CROSS JOIN LATERAL (
           SELECT id, group_id, state, seq FROM delivery
           WHERE workspace_id = $1 AND group_id = wanted.group_id ORDER BY seq DESC LIMIT $3
         ) AS one
       ), picked AS MATERIALIZED (
         (SELECT DISTINCT ON (group_id) id AS picked_id, false AS is_failure FROM recent ORDER BY group_id, seq DESC)
         UNION ALL
         (SELECT DISTINCT ON (group_id) id, true FROM recent WHERE state = 'failed' ORDER BY group_id, seq DESC)
       )
       SELECT is_failure AS "isFailure", ${SHOWN} FROM ${TABLES} JOIN picked ON picked_id = d.id WHERE d.workspace_id = $1`,
      [workspaceId, known.map(({ id }) => id), among],
    );
    return known.map(({ id }) => {
      const find = (failed: boolean): DeliveryRow | null => {
        const row = rows.find(({ actionGroupId, isFailure }) => actionGroupId === id && isFailure === failed);
        if (row === undefined) return null;
        const { isFailure: _, ...delivery } = row;
        return delivery;
      };
      return { groupId: id, latest: find(false), latestFailed: find(true) };
    });
  },

  async ofEvent(workspaceId: string, tx: Tx, eventId: string): Promise<DeliveryRow[]> {
    return tx.query<DeliveryRow>(
      `SELECT ${SHOWN} FROM ${TABLES}
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

  /** Cancels the waiting deliveries of incidents for a purpose. @returns how many */
  async cancelOfIncidents(
    tx: Tx,
    incidents: readonly { workspaceId: string; incidentId: string; why: string }[],
    purpose: string,
    at: Date,
  ): Promise<number> {
    return keptStatements(tx).execute(
      `UPDATE delivery d SET state = 'cancelled', answer = over.why, next_attempt_at = NULL, finished_at = $5, extra = '{}'
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS over (workspace_id, incident_id, why)
       JOIN alert_event e ON e.incident_id = over.incident_id AND e.workspace_id = over.workspace_id
       WHERE d.workspace_id = over.workspace_id AND d.event_id = e.id AND d.state = 'waiting'
         AND (d.purpose = $4 OR d.purpose LIKE $4 || ':%')`,
      [...valuesOf(incidents, 'workspaceId', 'incidentId', 'why'), purpose, at],
    );
  },

  /** @param lock locks the group until the transaction ends */
  async group(
    workspaceId: string,
    tx: Tx,
    groupId: string,
    lock: '' | 'FOR NO KEY UPDATE' = '',
  ): Promise<NamedGroup | null> {
    const [row] = await tx.query<NamedGroup>(
      `SELECT id, type, name, is_enabled AS "isEnabled", settings, rules, secrets, former_secret AS "formerSecret",
         former_secret_until AS "formerSecretUntil"
       FROM action_group WHERE workspace_id = $1 AND id = $2 ${lock}`,
      [workspaceId, groupId],
    );
    return row ?? null;
  },

  /** Disables a group. @returns the group if it was enabled */
  async disableGroup(workspaceId: string, tx: Tx, groupId: string, at: Date): Promise<DisabledGroup | undefined> {
    return tx.one(
      `UPDATE action_group SET is_enabled = false, last_modified = greatest($3, last_modified + interval '1 ms')
       WHERE workspace_id = $1 AND id = $2 AND is_enabled RETURNING workspace_id AS "workspaceId", id, name`,
      [workspaceId, groupId, at],
    );
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
  const { eventId, workspaceId, type, at, detail, subject, isEnabled, settings, rules, secrets, ...rest } = row;
  const { formerSecret, formerSecretUntil, ...delivery } = rest;
  return {
    ...delivery,
    event: { id: eventId, workspaceId, type, atMs: at.getTime(), detail, subject },
    group:
      delivery.groupId === null || isEnabled === null
        ? null
        : { id: delivery.groupId, isEnabled, settings, rules, secrets, formerSecret, formerSecretUntil },
  };
}
