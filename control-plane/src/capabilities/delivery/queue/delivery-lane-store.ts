import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import { isAnyDue } from '../../../platform/jobs/due-store.js';
import type { Outlet } from '../../channels/index.js';
import type { LeasedLane, DeliveryLane } from './delivery-lane.js';

/** The largest number of due lanes that one claim makes ready. */
const MOST_READY_AT_ONCE = 1_000;

export interface LaneClaim {
  outlet: Outlet;
  urgent: boolean;
  leaseEnd: Date;
  lease: string;
  /** Free slots. */
  free: number;
  /** Slots in use, by owner. */
  running: ReadonlyMap<string, number>;
  /** The search begins with the next owner after this one. */
  after: string;
}

/** Whether lanes of the outlet are to be sent, as a condition of a due task. */
export const isDeliveryDue = (outlet: Outlet): string =>
  `EXISTS (SELECT FROM delivery_lane WHERE ready AND outlet = '${outlet}')
    OR ${isAnyDue('delivery_lane', 'due_at', `NOT ready AND outlet = '${outlet}'`)}`;

/** The queue of lanes, over all workspaces. */
export const deliveryLaneStore = {
  /** Makes lanes ready whose next attempt is due or whose lease has expired. */
  async makeReady(tx: Tx, outlet: Outlet, now: Date): Promise<void> {
    await tx.query(
      `WITH due AS (
         SELECT workspace_id, lane FROM delivery_lane WHERE NOT ready AND outlet = $1 AND due_at <= $2
         ORDER BY due_at LIMIT ${MOST_READY_AT_ONCE} FOR UPDATE SKIP LOCKED
       )
       UPDATE delivery_lane own SET ready = true, lease = NULL FROM due
       WHERE own.workspace_id = due.workspace_id AND own.lane = due.lane`,
      [outlet, now],
    );
  },

  /**
   * Leases lanes until `leaseEnd`; after that another worker may take them. Lanes are taken from each owner in turn, and
   * no owner gets more slots than remain free, so that the next owner always finds one.
   *
   * The owners are found by skipping through the index, one descent each, so that a claim costs as much where an owner
   * has 100,000 lanes ready as where it has one. The measured alternatives are in
   * docs/decisions/0014-delivery-lanes-and-fair-slots.md.
   */
  async claim(tx: Tx, claim: LaneClaim): Promise<LeasedLane[]> {
    const { outlet, urgent, leaseEnd, lease, free, running, after } = claim;
    return tx.query<LeasedLane>(
      `WITH RECURSIVE owner AS (
         SELECT $8::uuid AS id, false AS wrapped, 0 AS place
         UNION ALL
         SELECT next.id, next.wrapped, owner.place + 1
         FROM owner CROSS JOIN LATERAL (
           (SELECT owner_id AS id, owner.wrapped AS wrapped, 1 AS choice FROM delivery_lane
            WHERE ready AND outlet = $1 AND urgent = $2 AND owner_id > owner.id ORDER BY owner_id LIMIT 1)
           UNION ALL
           (SELECT owner_id, true, 2 FROM delivery_lane
            WHERE ready AND outlet = $1 AND urgent = $2 AND NOT owner.wrapped ORDER BY owner_id LIMIT 1)
           ORDER BY choice LIMIT 1
         ) AS next
         WHERE owner.place < $5::integer + cardinality($6::uuid[]) AND NOT (next.wrapped AND next.id > $8)
       ), candidate AS (
         SELECT own.workspace_id, own.lane, own.place + coalesce(busy.count, 0) AS place, owner.place AS owner_place
         FROM owner LEFT JOIN unnest($6::uuid[], $7::integer[]) AS busy (owner_id, count) ON busy.owner_id = owner.id
         CROSS JOIN LATERAL (
           SELECT workspace_id, lane, row_number() OVER (ORDER BY due_at) AS place FROM delivery_lane
           WHERE ready AND outlet = $1 AND urgent = $2 AND owner_id = owner.id
           ORDER BY due_at LIMIT greatest(0, ($5::integer - coalesce(busy.count, 0) + 1) / 2)
         ) AS own
         WHERE owner.place > 0 AND NOT EXISTS (
           SELECT FROM user_account account WHERE account.id = owner.id AND account.suspended_at IS NOT NULL)
       ), ranked AS (
         SELECT *, row_number() OVER (ORDER BY place, owner_place) AS rank FROM candidate
       ), due AS (
         SELECT own.workspace_id, own.lane FROM ranked CROSS JOIN LATERAL (
           SELECT workspace_id, lane FROM delivery_lane own
           WHERE own.workspace_id = ranked.workspace_id AND own.lane = ranked.lane AND own.ready
           LIMIT 1 FOR UPDATE SKIP LOCKED
         ) AS own
         WHERE ranked.place <= $5::integer - ranked.rank + 1
         ORDER BY ranked.rank LIMIT $5::integer
       )
       UPDATE delivery_lane own SET ready = false, due_at = $3, lease = $4 FROM due
       WHERE own.workspace_id = due.workspace_id AND own.lane = due.lane
       RETURNING own.workspace_id AS "workspaceId", own.owner_id AS "ownerId", own.lane, own.outlet, own.lease`,
      [outlet, urgent, leaseEnd, lease, free, [...running.keys()], [...running.values()], after],
    );
  },

  /** Makes lanes ready to which a delivery was added. A lane in which deliveries already wait keeps its place. */
  async activate(tx: Tx, lanes: readonly (DeliveryLane & { workspaceId: string })[], now: Date): Promise<void> {
    await tx.query(
      `INSERT INTO delivery_lane (workspace_id, lane, outlet, urgent, owner_id, due_at, ready)
       SELECT DISTINCT new."workspaceId", new.lane, new.outlet, new.urgent, workspace.owner_id,
         CASE WHEN owner.suspended_at IS NULL THEN $2::timestamptz ELSE 'infinity' END, owner.suspended_at IS NULL
       FROM jsonb_to_recordset($1) AS new ("workspaceId" uuid, lane text, outlet text, urgent boolean)
       JOIN workspace ON workspace.id = new."workspaceId"
       JOIN user_account owner ON owner.id = workspace.owner_id
       ORDER BY 1, 2
       ON CONFLICT (workspace_id, lane) DO UPDATE SET
         ready = delivery_lane.ready OR delivery_lane.due_at IS NULL AND excluded.ready,
         due_at = coalesce(delivery_lane.due_at, excluded.due_at),
         owner_id = excluded.owner_id`,
      [jsonText(lanes.map(({ workspaceId, lane, outlet, urgent }) => ({ workspaceId, lane, outlet, urgent }))), now],
    );
  },

  /** Whether pages wait that were due at `since`, or anything that no worker has even made ready. */
  async isStuckSince(tx: Tx, since: Date): Promise<boolean> {
    return tx.value(
      `SELECT EXISTS (SELECT FROM delivery_lane WHERE ready AND urgent AND due_at < $1)
         OR EXISTS (SELECT FROM delivery_lane WHERE NOT ready AND due_at < $1) AS "isStuck"`,
      [since],
    );
  },

  /** Pauses all lanes of a suspended owner, leased ones included. */
  async pause(ownerId: string, tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE delivery_lane SET ready = false, due_at = 'infinity', lease = NULL
       WHERE due_at IS NOT NULL AND workspace_id IN (SELECT id FROM workspace WHERE owner_id = $1)`,
      [ownerId],
    );
  },

  /** Makes the paused lanes of an owner ready. */
  async resume(ownerId: string, tx: Tx, now: Date): Promise<void> {
    await tx.query(
      `UPDATE delivery_lane SET ready = true, due_at = $2
       WHERE due_at = 'infinity' AND workspace_id IN (SELECT id FROM workspace WHERE owner_id = $1)`,
      [ownerId, now],
    );
  },

  /** Ends leases; each lane is ready again at its `dueAt`. */
  async release(tx: Tx, lanes: readonly (LeasedLane & { dueAt: Date })[]): Promise<void> {
    if (lanes.length === 0) return;
    await tx.query(
      `WITH own AS (
         SELECT done.* FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) AS done (workspace_id, lane, lease, due_at)
         JOIN delivery_lane own USING (workspace_id, lane, lease)
         ORDER BY workspace_id, lane FOR UPDATE OF own
       )
       UPDATE delivery_lane SET due_at = own.due_at, lease = NULL FROM own
       WHERE delivery_lane.workspace_id = own.workspace_id AND delivery_lane.lane = own.lane`,
      [...keysOf(lanes), lanes.map(({ dueAt }) => dueAt)],
    );
  },

  /**
   * Ends leases. A lane in which something waits is ready, behind the other lanes of its owner. Adding a delivery locks the
   * lane after the insert, so the lanes are locked here before the check.
   */
  async end(tx: Tx, lanes: readonly LeasedLane[], now: Date): Promise<void> {
    const keys = keysOf(lanes);
    await tx.query(
      `SELECT FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS done (workspace_id, lane, lease)
       JOIN delivery_lane own USING (workspace_id, lane, lease) ORDER BY workspace_id, lane FOR UPDATE OF own`,
      keys,
    );
    await tx.query(
      `UPDATE delivery_lane own SET ready = left_over.waits, due_at = CASE WHEN left_over.waits THEN $4::timestamptz END, lease = NULL
       FROM (
         SELECT done.*, EXISTS (
           SELECT FROM delivery d WHERE d.workspace_id = done.workspace_id AND d.lane = done.lane AND d.state = 'waiting'
         ) OR EXISTS (
           SELECT FROM outgoing_mail m WHERE m.workspace_id = done.workspace_id AND m.lane = done.lane AND m.state = 'waiting'
         ) AS waits
         FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS done (workspace_id, lane, lease)
       ) AS left_over
       WHERE own.workspace_id = left_over.workspace_id AND own.lane = left_over.lane AND own.lease = left_over.lease`,
      [...keys, now],
    );
  },

  /** Deletes lanes without deliveries. @returns how many */
  async purgeIdle(tx: Tx, limit: number): Promise<number> {
    return tx.execute(
      `WITH idle AS (
         SELECT workspace_id, lane FROM delivery_lane own WHERE due_at IS NULL
           AND NOT EXISTS (SELECT FROM delivery d WHERE d.workspace_id = own.workspace_id AND d.lane = own.lane)
         LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM delivery_lane own USING idle WHERE own.workspace_id = idle.workspace_id AND own.lane = idle.lane`,
      [limit],
    );
  },
};

function keysOf(lanes: readonly LeasedLane[]): string[][] {
  return valuesOf(lanes, 'workspaceId', 'lane', 'lease');
}
