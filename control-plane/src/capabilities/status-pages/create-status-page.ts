import { beyondMost } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireFeature } from '../plans/index.js';
import { auditedPage } from './describe-status-page.js';
import { placeSystems } from './place-systems.js';
import { type StatusPageDeps, viewOfPage } from './read-status-pages.js';
import type { StatusPageCreateInput, StatusPageView } from './status-page-schemas.js';
import { statusPageStore } from './status-page-store.js';

/** Status pages per account, over all its workspaces. Bounds what anonymous visitors can cause to be built. */
export const MAX_PAGES = 20;

/** @throws Fault plan_limit_exceeded, feature_not_in_plan, not_found (a monitor or service group), slug_taken, validation_failed */
export async function createStatusPage(
  deps: StatusPageDeps,
  actor: Actor,
  { groups, ...input }: StatusPageCreateInput,
  id = newId(deps.clock.now()),
): Promise<StatusPageView> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const page = await deps.db.transaction(async (tx) => {
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    if (input.banner !== null) requireFeature(entitlements, 'banner', 'banner');
    if ((await statusPageStore.countOfOwner(entitlements.ownerId, tx)) >= MAX_PAGES) {
      const message = `An account has at most ${MAX_PAGES} status pages, over all its workspaces; delete one first.`;
      throw beyondMost('statusPages', MAX_PAGES, message);
    }
    const groupNames = groups.map(({ name }) => name);
    await statusPageStore.insert(workspaceId, tx, { ...input, id, groupNames, created: now, lastModified: now });
    await placeSystems(tx, workspaceId, { id, systems: [] }, groups, nowMs);
    const view = await viewOfPage(tx, workspaceId, id);
    await recordAudit(deps, tx, actor, { action: 'status_page.created', target: view, after: auditedPage(view) });
    return view;
  });
  deps.onPageChanged(page.slug);
  return page;
}
