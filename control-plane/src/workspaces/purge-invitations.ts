import type { WorkspaceDeps } from './workspace-deps.js';
import { anyInvitationStore } from './invitation-store.js';

/** How long an invitation is remembered after its time has run out. */
const KEPT_MS = 90 * 86_400_000;
const BATCH = 1_000;

/** Forgets old invitations, whatever became of them. @returns how many */
export async function purgeInvitations(deps: WorkspaceDeps): Promise<number> {
  const before = new Date(deps.clock.now() - KEPT_MS);
  let total = 0;
  for (;;) {
    const purged = await deps.db.transaction((tx) => anyInvitationStore.purge(tx, before, BATCH));
    total += purged;
    if (purged < BATCH) return total;
  }
}
