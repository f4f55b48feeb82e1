import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import type { AlertEvent } from './alert-event.js';
import { alertEventStore } from './delivery/alert-event-store.js';
import { type PublishDeps, followIncidents } from './paging/follow-incidents.js';

/**
 * Publishes events in the caller's transaction. After the commit, groups and people are notified even if this process
 * dies; after a rollback they are not.
 */
export async function publishEvents(deps: PublishDeps, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  const notified = events.filter(({ isSilent }) => !isSilent);
  if (notified.length > 0)
    await alertEventStore.insert(
      tx,
      notified.map((event) => ({ ...event, id: newId(deps.clock.now()) })),
    );
  await followIncidents(deps, tx, events);
}
