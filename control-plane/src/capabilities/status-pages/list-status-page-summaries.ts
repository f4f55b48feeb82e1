import { groupBy } from '@watchpost/shared/group-by';
import type { Actor } from '../../platform/identity/caller.js';
import { combineStatuses, decideSystemStatus } from './decide-status.js';
import { postStore } from './post-store.js';
import { publicPageStore } from './public-page-store.js';
import type { StatusPageDeps } from './read-status-pages.js';
import type { StatusPageSummary } from './status-page-schemas.js';
import { statusPageStore } from './status-page-store.js';
import { subscriberStore } from './subscribers/subscriber-store.js';

/** More than an account may have. */
const MOST_PAGES = 100;

/** The state of all status pages of the workspace, newest first, by a number of statements that does not grow with them. */
export async function listStatusPageSummaries(
  { db, clock }: Pick<StatusPageDeps, 'db' | 'clock'>,
  actor: Actor,
): Promise<StatusPageSummary[]> {
  const { workspaceId } = actor.workspace;
  return db.read(async (tx) => {
    const { items: rows } = await statusPageStore.page(workspaceId, tx, { limit: MOST_PAGES, offset: 0 });
    const ids = rows.map(({ id }) => id);
    const systems = await statusPageStore.systems(workspaceId, tx, ids);
    const monitors = await publicPageStore.monitors(workspaceId, tx, ids, new Date(clock.now()));
    const subscribers = await subscriberStore.confirmedCounts(workspaceId, tx, ids);
    const openPosts = await postStore.openCounts(workspaceId, tx, ids);
    return ids.map((id) => {
      const members = groupBy(
        monitors.filter(({ pageId }) => pageId === id),
        ({ systemId }) => systemId,
      );
      const statuses = systems
        .get(id)!
        .map((system) => system.overrideStatus ?? decideSystemStatus(members.get(system.id) ?? []));
      return {
        statusPageId: id,
        overallStatus: combineStatuses(statuses),
        subscribers: subscribers.get(id) ?? 0,
        openPosts: openPosts.get(id) ?? 0,
      };
    });
  });
}
