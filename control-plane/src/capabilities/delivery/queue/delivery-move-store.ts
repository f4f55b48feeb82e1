import type { Tx } from '../../../platform/db/database.js';

/**
 * Moves waiting deliveries to another enabled group of the same type that is attached to the monitor of the event and
 * contains the address. The lane of an address is the same in every group, so their order is kept. The other group is
 * locked against deletion.
 * @param which a condition on the delivery `d`
 */
const move = (which: string): string => `WITH moved AS MATERIALIZED (
    SELECT d.id, other.id AS group_id
    FROM delivery d JOIN alert_event e ON e.id = d.event_id AND e.workspace_id = d.workspace_id
    CROSS JOIN LATERAL (
      SELECT g.id FROM group_attachment attached JOIN action_group g ON g.id = attached.group_id
        JOIN group_recipient recipient ON recipient.group_id = g.id
      WHERE attached.monitor_key = e.monitor_key AND g.workspace_id = d.workspace_id AND g.type = d.channel
        AND g.is_enabled AND g.id <> d.group_id AND recipient.address_key = lower(d.address)
      ORDER BY g.created, g.id LIMIT 1 FOR KEY SHARE OF g
    ) AS other
    WHERE d.workspace_id = $1 AND d.state = 'waiting' AND ${which}
  )
  UPDATE delivery d SET group_id = moved.group_id
  FROM moved WHERE d.id = moved.id AND d.workspace_id = $1 AND d.state = 'waiting'`;
const MOVE_OF_GROUP = move('d.group_id = $2');
/** A delivery that its own group can send has another reason not to be sent, which it would have in any group. */
const MOVE_BY_ID = move(`d.id = ANY ($2::uuid[]) AND NOT EXISTS (
  SELECT FROM action_group own JOIN group_recipient recipient ON recipient.group_id = own.id
  WHERE own.id = d.group_id AND own.is_enabled AND recipient.address_key = lower(d.address))`);

/** Moves what waits for the addresses of a group to other groups of the monitor, because the group is deleted. */
export async function moveDeliveriesOfGroup(workspaceId: string, tx: Tx, groupId: string): Promise<void> {
  await tx.execute(MOVE_OF_GROUP, [workspaceId, groupId]);
}

/** Moves deliveries to an address or number to other groups. @returns how many */
export async function moveDeliveries(workspaceId: string, tx: Tx, ids: readonly string[]): Promise<number> {
  return tx.execute(MOVE_BY_ID, [workspaceId, ids]);
}
