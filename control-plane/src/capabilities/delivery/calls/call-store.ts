import type { Tx } from '../../../platform/db/database.js';
import type { NotifiedEvent } from '../../channels/index.js';
import type { NotedDelivery } from '../sending/record-outcome.js';

export interface CalledDelivery extends Omit<NotedDelivery, 'event'> {
  id: string;
  workspaceId: string;
  lane: string;
  state: string;
  attempts: number;
  answer: string | null;
  event: NotifiedEvent;
  /** Of its group. */
  template: string | null;
}

/** More deliveries than one message sums up. */
const MOST = 200;

export const callStore = {
  /**
   * The deliveries of a call, by the id of its message, in order. It takes no tenant: the id is in the URL that the provider
   * signs, and only this service gives it one.
   */
  async find(tx: Tx, messageId: string, since: Date, lock: '' | 'FOR UPDATE OF d' = ''): Promise<CalledDelivery[]> {
    const rows = await tx.query<
      Omit<CalledDelivery, 'event'> & Pick<NotifiedEvent, 'type' | 'detail' | 'subject'> & { eventId: string; at: Date }
    >(
      `SELECT d.id, d.workspace_id AS "workspaceId", d.lane, d.state, d.attempts, d.answer, d.channel, d.address,
         d.group_id AS "groupId", d.purpose, e.id AS "eventId", e.incident_id AS "incidentId", e.type, e.at, e.detail, e.subject,
         g.rules ->> 'template' AS template
       FROM delivery first JOIN delivery d ON d.workspace_id = first.workspace_id AND d.group_id IS NOT DISTINCT FROM first.group_id
         AND d.seq >= first.seq AND d.lane = first.lane AND coalesce(d.message_id, d.id) = first.id
       JOIN alert_event e ON e.id = d.event_id
       LEFT JOIN action_group g ON g.workspace_id = d.workspace_id AND g.id = d.group_id
       WHERE first.id = $1 AND first.channel = 'voice' AND first.created > $2 ORDER BY d.seq LIMIT ${MOST} ${lock}`,
      [messageId, since],
    );
    return rows.map(({ eventId, type, at, detail, subject, ...row }) => ({
      ...row,
      event: { id: eventId, workspaceId: row.workspaceId, type, atMs: at.getTime(), detail, subject },
    }));
  },

  /** Stores how a call ended. With a time for the next call, its deliveries wait for that, and so does their lane. */
  async end(
    { workspaceId, lane }: Pick<CalledDelivery, 'workspaceId' | 'lane'>,
    tx: Tx,
    ids: readonly string[],
    ended: { state: 'delivered' | 'failed' | 'waiting'; answer: string; at: Date; next: Date | null },
  ): Promise<void> {
    const { state, answer, at, next } = ended;
    await tx.query(
      `UPDATE delivery SET state = $3, answer = $4, next_attempt_at = $5, finished_at = CASE WHEN $3 = 'waiting' THEN NULL ELSE $6::timestamptz END
       WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [workspaceId, ids, state, answer, next, at],
    );
    if (next === null) return;
    await tx.query(
      'UPDATE delivery_lane SET due_at = $3 WHERE workspace_id = $1 AND lane = $2 AND due_at IS NULL AND NOT ready',
      [workspaceId, lane, next],
    );
  },
};
