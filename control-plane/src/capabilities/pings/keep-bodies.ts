import type { Tx } from '../../platform/db/database.js';
import { spendBudgets } from '../plans/index.js';
import type { Ping } from '../heartbeats/index.js';

/** In place of a body that is not kept. */
export const BODY_NOT_KEPT =
  '[Watchpost: this body was not kept, because the pings of the account have used the storage of today (UTC). The ping counts.]';
/** What a row of a ping with a body takes beside it, bytes. */
const ROW_BYTES = 100;

interface PingWithTarget {
  ping: Ping;
  workspaceId: string;
}

/**
 * Counts the bodies of pings against the budgets of the owners of their workspaces, and replaces those beyond. A ping itself
 * is never refused for it.
 */
export async function keepBodies<Item extends PingWithTarget>(
  tx: Tx,
  items: readonly Item[],
  nowMs: number,
): Promise<readonly Item[]> {
  const bytes = new Map<string, number>();
  for (const { ping, workspaceId } of items)
    if (ping.body !== null)
      bytes.set(workspaceId, (bytes.get(workspaceId) ?? 0) + Buffer.byteLength(ping.body) + ROW_BYTES);
  if (bytes.size === 0) return items;
  const kib = new Map([...bytes].map(([workspaceId, size]) => [workspaceId, Math.ceil(size / 1_024)]));
  const within = await spendBudgets(tx, 'pingKib', nowMs, kib);
  return items.map((item) =>
    item.ping.body === null || within.has(item.workspaceId)
      ? item
      : { ...item, ping: { ...item.ping, body: BODY_NOT_KEPT } },
  );
}
