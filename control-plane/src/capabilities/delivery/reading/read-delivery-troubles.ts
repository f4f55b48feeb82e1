import { HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { deliveryTroubleStore, type DeliveryTrouble } from './delivery-trouble-store.js';

/** The deliveries of a workspace that failed in the last hour, and those that wait for another attempt. One statement. */
export async function readDeliveryTroubles(
  tx: Tx,
  workspaceId: string,
  nowMs: number,
): Promise<{ failed: DeliveryTrouble; delayed: DeliveryTrouble }> {
  const rows = await deliveryTroubleStore.recent(workspaceId, tx, new Date(nowMs - HOUR_MS));
  const of = (state: DeliveryTrouble['state']) =>
    rows.find((row) => row.state === state) ?? { state, count: 0, since: null, answer: null };
  return { failed: of('failed'), delayed: of('waiting') };
}
