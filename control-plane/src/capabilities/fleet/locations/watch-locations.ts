import { BUILD } from '@watchpost/shared/build';
import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Transactions } from '../../../platform/db/database.js';
import { addLocationEvent } from '../../delivery/index.js';
import { locationStateStore, type LocationState } from './location-state-store.js';

/** So long after a pause this process notifies nobody of silence: the agents could not report meanwhile. */
const SETTLE_MS = 2 * MINUTE_MS;
const PAUSE_MS = MINUTE_MS;

const WHY: Readonly<Record<LocationState, string>> = {
  seeing: '',
  silent: 'No agent of it has been connected for two minutes.',
  blind: 'Its agents are connected, and none reaches any of its reference targets: they have lost their network.',
};

/**
 * Notifies the action groups of a private location once that none of its agents sees anything, and once that one does again. No
 * incident opens, and nobody is paged.
 */
export function locationWatcher({ db, clock }: { db: Transactions; clock: Clock }): () => Promise<void> {
  let sinceMs = clock.now();
  let lastMs = sinceMs;
  return async () => {
    const nowMs = clock.now();
    if (nowMs - lastMs > PAUSE_MS) sinceMs = nowMs;
    if (nowMs - sinceMs < SETTLE_MS) {
      lastMs = nowMs;
      return;
    }
    await db.transaction(async (tx) => {
      const at = new Date(nowMs);
      for (const location of await locationStateStore.noteChanged(tx, at, BUILD)) {
        const { id, name, slug, state, workspaceId, notifyActionGroupIds: groupIds } = location;
        if (groupIds.length === 0) continue;
        await addLocationEvent(tx, workspaceId, {
          id: newId(nowMs),
          type: state === 'seeing' ? 'location.back' : 'location.silent',
          at,
          detail: { groupIds, location: { id, name, slug }, ...(state !== 'seeing' && { why: WHY[state] }) },
        });
      }
    });
    lastMs = nowMs;
  };
}
