import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { MAX_PAGES } from './create-status-page.js';
import { publishedPageStore } from './status-page-store.js';

/**
 * Unpublishes an owner's status pages beyond the limit after a workspace was transferred to the owner, the newest first.
 * Nothing is deleted, and nothing is published again automatically. The public page disappears within the seconds for which
 * it is cached. The owner's account must be locked.
 */
export async function unpublishPagesOverLimit(deps: { clock: Clock }, tx: Tx, ownerId: string): Promise<void> {
  await publishedPageStore.unpublishNewest(ownerId, tx, MAX_PAGES, new Date(deps.clock.now()));
}

/** The owner's account must be locked. @throws Fault `plan_limit_exceeded` if one more published page exceeds the limit */
export async function requireRoomToPublish(tx: Tx, ownerId: string): Promise<void> {
  if ((await publishedPageStore.count(ownerId, tx)) < MAX_PAGES) return;
  const message = `An account has at most ${MAX_PAGES} published status pages, over all its workspaces; unpublish or delete one first. Accepted: false.`;
  const detail = { path: 'isPublished', message, limit: 'statusPages', value: MAX_PAGES, plan: null };
  throw new Fault('plan_limit_exceeded', message, [{ ...detail, accepted: false }]);
}
