import { randomUUID } from 'node:crypto';
import { isLockConflict, isOfAPart } from '../../../platform/db/database-error.js';
import type { Tx } from '../../../platform/db/database.js';
import { halvesOf } from '../../../platform/db/work-by-halves.js';
import type { Outlet } from '../../channels/index.js';
import { addDeliveries } from './add-deliveries.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import { fanOutStore, type PendingEvent } from './fan-out-store.js';
import { applyRules } from '../rules/apply-rules.js';
import { noteGivenUp, noteRefused } from './note-refused.js';

const BATCH = 100;
/** Rows that one tenant's work has locked hold up the messages of others no longer than this, ms. */
const OPTIONS = { lockTimeoutMs: 1_000 };

type FanOutDeps = Pick<DeliveryDeps, 'db' | 'clock' | 'metrics' | 'logger'>;

/**
 * Adds the deliveries of pending events, in the order of the events. Where those of a workspace cannot be added, or need rows
 * that somebody has locked, the others are.
 * @returns the outlets that have something to send; undefined where nothing could be done: otherwise there may be more
 */
export async function fanOutEvents(deps: FanOutDeps): Promise<ReadonlySet<Outlet> | undefined> {
  // Usually nothing is pending; the check without the lock costs less.
  if (!(await deps.db.read((tx) => fanOutStore.hasPending(tx)))) return undefined;
  let events: PendingEvent[] = [];
  try {
    return await fanOut(deps, async (tx) => {
      events = await fanOutStore.pending(tx, BATCH, randomUUID());
      return events;
    });
  } catch (error) {
    // Without events, another worker fans out for long.
    if (events.length === 0 && isLockConflict(error)) return undefined;
    if (events.length === 0 || !isOfAPart(error)) throw error;
    const outlets = await byWorkspace(deps, events);
    return outlets.size > 0 ? outlets : undefined;
  }
}

/** Fans out events by halves of the workspaces, and those of one in their order. */
async function byWorkspace(deps: FanOutDeps, events: readonly PendingEvent[]): Promise<ReadonlySet<Outlet>> {
  if (events.every(({ workspaceId }) => workspaceId === events[0]!.workspaceId)) return oneByOne(deps, events);
  const outlets = new Set<Outlet>();
  for (const half of halvesOf(events, ({ workspaceId }) => workspaceId)) {
    try {
      for (const outlet of (await fanOut(deps, (tx) => fanOutStore.pendingOf(tx, half))) ?? []) outlets.add(outlet);
    } catch (error) {
      if (!isOfAPart(error)) throw error;
      for (const outlet of await byWorkspace(deps, half)) outlets.add(outlet);
    }
  }
  return outlets;
}

/**
 * Fans out events of a workspace. One that is refused has no deliveries, and its incident's timeline states it; where rows
 * are locked, it and later ones wait.
 */
async function oneByOne(deps: FanOutDeps, events: readonly PendingEvent[]): Promise<ReadonlySet<Outlet>> {
  const outlets = new Set<Outlet>();
  for (const event of events) {
    try {
      for (const outlet of (await fanOut(deps, (tx) => fanOutStore.pendingOf(tx, [event]))) ?? []) outlets.add(outlet);
    } catch (error) {
      if (!isOfAPart(error)) throw error;
      if (isLockConflict(error)) break;
      await deps.db.transaction(
        async (tx) => noteGivenUp(deps, tx, await fanOutStore.markFannedOut(tx, [event.id])),
        OPTIONS,
      );
      deps.metrics.refused(1);
      // Anybody can cause it: one line, without a stack.
      const reason = String(error).slice(0, 300);
      deps.logger.warn(
        { eventId: event.id, workspaceId: event.workspaceId, reason },
        'an event could not be fanned out',
      );
    }
  }
  return outlets;
}

/** @returns undefined where there are no events */
async function fanOut(
  deps: FanOutDeps,
  read: (tx: Tx) => Promise<readonly PendingEvent[]>,
): Promise<ReadonlySet<Outlet> | undefined> {
  let refused = 0;
  const outlets = await deps.db.transaction(async (tx) => {
    refused = 0;
    await fanOutStore.lock(tx);
    const events = (await read(tx)).map(({ id }) => id);
    if (events.length === 0) return undefined;
    const destinations = await applyRules(deps, tx, await fanOutStore.destinations(tx, events));
    const added = await addDeliveries(
      deps,
      tx,
      destinations.map((destination) => ({ ...destination, extra: {} })),
      async (failed) => {
        refused = failed.length;
        await noteRefused(deps, tx, failed);
      },
    );
    await fanOutStore.markFannedOut(tx, events);
    return added;
  }, OPTIONS);
  deps.metrics.refused(refused);
  return outlets;
}
