import type { Tx } from '../../platform/db/database.js';
import type { AlertEvent } from '../channels/index.js';
import { queueEvents } from '../delivery/index.js';
import { type PublishDeps, followIncidents } from './follow-incidents.js';

/** Notifies groups and people of events in the caller's transaction, as `queueEvents` does; paging begins and stops. */
export async function publishEvents(deps: PublishDeps, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await queueEvents(
    deps,
    tx,
    events.filter(({ isSilent }) => !isSilent),
  );
  await followIncidents(deps, tx, events);
}
