import { DAY_MS } from '@watchpost/shared/time';
import { anyInvitationStore, invitationLinkStore } from './invitation-store.js';
import type { WorkspaceDeps } from './workspace-deps.js';

/** An invitation is kept for this time after it was answered or revoked. */
const KEPT_MS = 90 * DAY_MS;
const BATCH = 1_000;

/** Deletes invitations that were answered or revoked long ago. Pending and expired ones stay, because they can be regenerated. */
export async function purgeInvitations({ db, clock }: WorkspaceDeps): Promise<void> {
  const nowMs = clock.now();
  await db.transaction((tx) => invitationLinkStore.purge(tx, new Date(nowMs - DAY_MS)));
  const before = new Date(nowMs - KEPT_MS);
  while ((await db.transaction((tx) => anyInvitationStore.purge(tx, before, BATCH))) === BATCH);
}
