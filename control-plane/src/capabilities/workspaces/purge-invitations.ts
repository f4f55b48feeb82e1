import { DAY_MS } from '@watchpost/shared/time';
import { anyInvitationStore, invitationLinkStore } from './invitation-store.js';
import type { WorkspaceDeps } from './workspace-deps.js';

/** An invitation is kept for this time after it was answered or revoked. */
const KEPT_MS = 90 * DAY_MS;
const BATCH = 1_000;

/**
 * Deletes invitations that were answered or revoked long ago. Pending and expired ones stay, because they can be
 * regenerated.
 * @returns how many
 */
export async function purgeInvitations(deps: WorkspaceDeps): Promise<number> {
  const nowMs = deps.clock.now();
  await deps.db.transaction((tx) => invitationLinkStore.purge(tx, new Date(nowMs - DAY_MS)));
  let total = 0;
  for (;;) {
    const purged = await deps.db.transaction((tx) => anyInvitationStore.purge(tx, new Date(nowMs - KEPT_MS), BATCH));
    total += purged;
    if (purged < BATCH) return total;
  }
}
