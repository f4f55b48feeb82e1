import { newId } from '@watchpost/shared/id';
import { wholeRules } from '../../group-settings/index.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import { alertEventStore } from '../queue/alert-event-store.js';
import { queueEvents } from '../queue/queue.js';
import { decideDueWait } from './decide-notice.js';
import { type EndedWait, type NewWait, waitStore } from './wait-store.js';

const BATCH = 100;

/**
 * Ends waits that are due. What a group is to be notified of becomes an event for this group, on which its rules decide as on
 * any other; nothing is lost with the process, as both are one transaction.
 * @returns how many waits were ended
 */
export async function endWaits({ db, clock }: Pick<DeliveryDeps, 'db' | 'clock'>): Promise<number> {
  const nowMs = clock.now();
  const now = new Date(nowMs);
  // Usually nothing is due; the look without locks costs less.
  if (!(await db.read((tx) => waitStore.hasDue(tx, now)))) return 0;
  return db.transaction(async (tx) => {
    const due = await waitStore.due(tx, BATCH, now);
    const decided = due.map((wait) => ({ wait, ...decide(wait, nowMs) }));
    const notified = decided.filter(({ notify }) => notify).map(({ wait }) => wait);
    await waitStore.remove(tx, due);
    await waitStore.add(
      tx,
      decided.flatMap(({ wait, againMs }): NewWait[] => (againMs === null ? [] : [{ ...wait, dueMs: againMs }])),
    );
    await queueEvents(
      { clock },
      tx,
      notified.filter(({ reason }) => reason !== 'held').map((wait) => eventOf(wait, nowMs)),
    );
    await alertEventStore.repeatFor(
      tx,
      notified.flatMap(({ workspaceId, groupId, eventId }) =>
        eventId === null ? [] : [{ id: newId(nowMs), workspaceId, groupId, eventId }],
      ),
    );
    return due.length;
  });
}

function decide(wait: EndedWait, nowMs: number): { notify: boolean; againMs: number | null } {
  if (wait.coveredUntil !== null && wait.isOpen) return { notify: false, againMs: wait.coveredUntil.getTime() };
  return decideDueWait(wholeRules(wait.rules), wait, nowMs);
}

function eventOf({ workspaceId, groupId, subjectId: incidentId, monitorKey, reason }: EndedWait, atMs: number) {
  const event = { workspaceId, incidentId, monitorKey: monitorKey!, atMs };
  return reason === 'first'
    ? { ...event, type: 'incident.opened' as const, detail: { groupId, hasWaited: true } }
    : { ...event, type: 'incident.updated' as const, detail: { groupId, change: 'reminded' } };
}
