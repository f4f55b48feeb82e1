import { found } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { holdPage } from './create-post.js';
import { postStore } from './post-store.js';
import { auditedPost, type PostIds, viewOfPost } from './read-posts.js';
import type { StatusPageDeps } from './read-status-pages.js';

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
