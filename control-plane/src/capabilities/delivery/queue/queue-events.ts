import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertEvent } from '../../channels/index.js';
import { alertEventStore } from './alert-event-store.js';

/**
 * Queues events in the caller's transaction. After the commit, the groups of their monitors are notified even if this
 * process dies; after a rollback they are not.
 */
export async function queueEvents({ clock }: { clock: Clock }, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await alertEventStore.insert(
    tx,
    events.map((event) => ({ ...event, id: newId(clock.now()) })),
  );
}
