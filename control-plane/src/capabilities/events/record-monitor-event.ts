import type { Tx } from '../../platform/db/database.js';
import { eventStore } from './event-store.js';

/** Records in the transaction of the change that monitors changed, where no trigger does: their first result came. */
export async function recordMonitorEvents(
  tx: Tx,
  monitors: readonly { workspaceId: string; monitorId: string }[],
): Promise<void> {
  if (monitors.length > 0) await eventStore.addOfMonitors(tx, monitors);
}
