import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { MAX_PAGES } from './create-status-page.js';
import { publishedPageStore } from './published-page-store.js';

/**
 * Unpublishes what an owner has published over the limit since a workspace came in, the newest first. Nothing is deleted, and nothing is published
 * again by itself. The public page follows within the seconds for which it is cached. The owner's account is held.
 */
export async function unpublishPagesOverLimit(deps: { clock: Clock }, tx: Tx, ownerId: string): Promise<void> {
  await publishedPageStore.unpublishNewest(ownerId, tx, MAX_PAGES, new Date(deps.clock.now()));
}

/** @throws Fault `plan_limit_exceeded` where one more published page would be too many. The owner's account is held. */
export async function requireRoomToPublish(tx: Tx, ownerId: string): Promise<void> {
  if ((await publishedPageStore.count(ownerId, tx)) < MAX_PAGES) return;
  const message = `An account has at most ${MAX_PAGES} published status pages, over all its workspaces; unpublish or delete one first. Accepted: false.`;
  const detail = { path: 'isPublished', message, limit: 'statusPages', value: MAX_PAGES, plan: null };
  throw new Fault('plan_limit_exceeded', message, [{ ...detail, accepted: false }]);
}
