import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import type { AlertEvent } from './alert-event.js';
import { alertEventStore } from './delivery/alert-event-store.js';
import { followIncidents } from './paging/follow-incidents.js';

/**
 * Hands events to delivery, in the transaction in which they come to be: what is rolled back is never told, and what
 * is committed is told even if this process dies now.
 */
export async function publishEvents(deps: { clock: Clock }, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await alertEventStore.insert(
    tx,
    events.map((event) => ({ ...event, id: newId(deps.clock.now()) })),
  );
  await followIncidents(deps, tx, events);
}
