import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { invalidFields, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { holdPage, momentOf, requireSystems } from './create-post.js';
import { decidePostFaults } from './decide-post-faults.js';
import type { PostPatchInput, PostView } from './post-schemas.js';
import { postStore, type PostRow } from './post-store.js';
import { auditedPost, type PostIds, viewOfPost } from './read-posts.js';
import type { StatusPageDeps } from './read-status-pages.js';
import { announcePost } from './subscribers/announce-post.js';

/**
 * Adds an update with `body` and `status` to a post, and changes the other fields that are named.
 * @throws Fault not_found, precondition_failed, validation_failed
 */
export async function updatePost(
  deps: StatusPageDeps,
  actor: Actor,
  ids: PostIds,
  patch: PostPatchInput,
): Promise<PostView> {
  const { workspaceId } = actor.workspace;
  const { slug, post } = await deps.db.transaction(async (tx) => {
    const page = await holdPage(tx, workspaceId, ids.pageId);
    const row = found(await postStore.find(workspaceId, tx, ids.pageId, ids.postId, 'FOR UPDATE'), 'post');
    const before = await viewOfPost(tx, workspaceId, ids);
    actor.checkPrecondition?.(before);
    const changed = patched(row, patch);
    const faults = decidePostFaults({
      ...changed,
      scheduledStart: changed.scheduledStart?.getTime() ?? null,
      scheduledEnd: changed.scheduledEnd?.getTime() ?? null,
    });
    if (faults.length > 0) throw invalidFields(faults);
    if (patch.systemIds) await requireSystems(tx, workspaceId, ids.pageId, patch.systemIds);
    const isMoved = !isDeepStrictEqual(planOf(changed), planOf(row));
    const hasUpdate = patch.body !== undefined || changed.status !== row.status || isMoved;
    if (hasUpdate || !isDeepStrictEqual(changed, row)) {
      const nowMs = laterThan(row.lastModified, deps.clock.now()).getTime();
      const now = new Date(nowMs);
      await postStore.update(workspaceId, tx, { ...changed, lastModified: now });
      if (hasUpdate) {
        await postStore.addUpdate(workspaceId, tx, row.id, {
          id: newId(nowMs),
          status: changed.status,
          body: patch.body ?? null,
          createdBy: actor.caller.userId,
          created: now,
        });
        await announcePost(tx, workspaceId, page, { ...changed, body: patch.body ?? null }, now);
      }
    }
    const after = await viewOfPost(tx, workspaceId, ids);
    await recordAudit(deps, tx, actor, {
      action: 'post.updated',
      target: { id: row.id, name: after.title },
      before: auditedPost(before),
      after: auditedPost(after),
    });
    return { slug: page.slug, post: after };
  });
  deps.onPageChanged(slug);
  return post;
}

function planOf({ scheduledStart, scheduledEnd }: PostRow) {
  return [scheduledStart?.getTime(), scheduledEnd?.getTime()];
}

function patched(row: PostRow, { title, status, systemIds, scheduledStart, scheduledEnd }: PostPatchInput): PostRow {
  return {
    ...row,
    title: title ?? row.title,
    status: status ?? row.status,
    systemIds: systemIds ?? row.systemIds,
    scheduledStart: scheduledStart === undefined ? row.scheduledStart : momentOf(scheduledStart),
    scheduledEnd: scheduledEnd === undefined ? row.scheduledEnd : momentOf(scheduledEnd),
  };
}

/** Deletes a post with its thread. @throws Fault not_found, precondition_failed */
export async function deletePost(deps: StatusPageDeps, actor: Actor, ids: PostIds): Promise<void> {
  const { workspaceId } = actor.workspace;
  const slug = await deps.db.transaction(async (tx) => {
    const page = await holdPage(tx, workspaceId, ids.pageId);
    const row = found(await postStore.find(workspaceId, tx, ids.pageId, ids.postId, 'FOR UPDATE'), 'post');
    const before = await viewOfPost(tx, workspaceId, ids);
    actor.checkPrecondition?.(before);
    await postStore.remove(workspaceId, tx, row.id);
    await recordAudit(deps, tx, actor, {
      action: 'post.deleted',
      target: { id: row.id, name: row.title },
      before: { statusPageId: ids.pageId, ...auditedPost(before) },
    });
    return page.slug;
  });
  deps.onPageChanged(slug);
}
