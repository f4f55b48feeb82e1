import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { found } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { lockWorkspaceEntitlements, requireFeature, workspaceEntitlements } from '../plans/index.js';
import { auditedPage } from './describe-status-page.js';
import { placeSystems } from './place-systems.js';
import { type StatusPageDeps, viewOfPage } from './read-status-pages.js';
import { statusPageSettings, type StatusPageUpdateInput, type StatusPageView } from './status-page-schemas.js';
import { statusPageStore, type ShownPageRow } from './status-page-store.js';
import { requireRoomToPublish } from './unpublish-over-limit.js';

/**
 * Changes the fields that `input` names. An existing banner is accepted also where a smaller plan has no banners.
 * @throws Fault not_found (a monitor or service group too), precondition_failed, feature_not_in_plan,
 * plan_limit_exceeded, slug_taken, validation_failed
 */
export async function updateStatusPage(
  deps: StatusPageDeps,
  actor: Actor,
  id: string,
  { groups, ...input }: StatusPageUpdateInput,
): Promise<StatusPageView> {
  const { workspaceId } = actor.workspace;
  const { before, after } = await deps.db.transaction(async (tx) => {
    // Publishing may exceed the limit, so concurrent publications of the owner wait.
    const owner = input.isPublished === true ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
    const row = found(await statusPageStore.find(workspaceId, tx, id, 'FOR NO KEY UPDATE'), 'status page');
    const current = await viewOfPage(tx, workspaceId, id);
    actor.checkPrecondition?.(current);
    if (owner && !row.isPublished) await requireRoomToPublish(tx, owner.ownerId);
    const changed: ShownPageRow = { ...row, ...statusPageSettings.named(input) };
    if (groups) changed.groupNames = groups.map(({ name }) => name);
    if (changed.banner !== null && !isDeepStrictEqual(changed.banner, row.banner))
      requireFeature(await workspaceEntitlements(tx, workspaceId), 'banner', 'banner');
    const systems = groups ? await statusPageStore.allSystems(workspaceId, tx, id) : [];
    const moved = groups && (await placeSystems(tx, workspaceId, { id, systems }, groups, deps.clock.now()));
    if (moved || !isDeepStrictEqual(changed, row)) {
      changed.lastModified = laterThan(row.lastModified, deps.clock.now());
      await statusPageStore.update(workspaceId, tx, changed);
    }
    const view = await viewOfPage(tx, workspaceId, id);
    await recordAudit(deps, tx, actor, {
      action: 'status_page.updated',
      target: view,
      before: auditedPage(current),
      after: auditedPage(view),
    });
    return { before: row, after: view };
  });
  for (const slug of new Set([before.slug, after.slug])) deps.onPageChanged(slug);
  return after;
}
