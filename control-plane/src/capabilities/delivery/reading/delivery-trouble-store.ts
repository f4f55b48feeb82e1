import { HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';

export interface DeliveryTrouble {
  state: 'failed' | 'waiting';
  count: number;
  /** When the first of them failed, or was tried last. */
  since: Date | null;
  /** The answer to the latest attempt of one of them. */
  answer: string | null;
}

/**
 * The deliveries of a workspace that failed in the last hour, and those that wait for another attempt. Those that a rule of
 * this service refused are no fault of a destination. One statement.
 */
export async function readDeliveryTroubles(
  tx: Tx,
  workspaceId: string,
  nowMs: number,
): Promise<{ failed: DeliveryTrouble; delayed: DeliveryTrouble }> {
  const rows = await tx.query<DeliveryTrouble>(
    `SELECT 'failed' AS state, count(*) AS count, min(finished_at) AS since,
       (array_agg(answer ORDER BY finished_at DESC))[1] AS answer
     FROM delivery WHERE workspace_id = $1 AND state = 'failed' AND finished_at > $2 AND error IS NULL
     UNION ALL
     SELECT 'waiting', count(*), min(last_attempt_at), (array_agg(answer ORDER BY last_attempt_at DESC))[1]
     FROM delivery WHERE workspace_id = $1 AND state = 'waiting' AND attempts > 0`,
    [workspaceId, new Date(nowMs - HOUR_MS)],
  );
  return { failed: rows[0]!, delayed: rows[1]! };
}
