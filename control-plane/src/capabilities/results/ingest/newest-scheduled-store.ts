import { checkKindOfCode, type CheckKey } from '@watchpost/shared/check';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

/**
 * The newest scheduled time with a result in a region, for each check of these monitors that has one: after a takeover
 * the new check owner continues from there. Of all workspaces, like agents.
 */
export async function readNewestScheduledTimes(
  tx: Tx,
  region: Region,
  monitorKeys: readonly number[],
): Promise<{ key: CheckKey; completedThroughMs: number }[]> {
  const rows = await tx.query<{ monitorKey: number; kind: number; completedThroughMs: number }>(
    `SELECT monitor_key AS "monitorKey", kind, (extract(epoch FROM last_scheduled_at) * 1000)::bigint AS "completedThroughMs"
     FROM series WHERE region = $1 AND monitor_key = ANY($2::bigint[]) AND last_scheduled_at IS NOT NULL`,
    [regionCode(region), monitorKeys],
  );
  return rows.flatMap(({ monitorKey, kind: code, completedThroughMs }) => {
    const kind = checkKindOfCode(code);
    return kind ? [{ key: { monitorKey, kind }, completedThroughMs }] : [];
  });
}
