import { invalidFields, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { defaultStatusOf } from './decide-post-faults.js';
import type { PostCreateInput, PostView } from './post-schemas.js';
import { postStore } from './post-store.js';
import { auditedPost, viewOfPost } from './read-posts.js';
import type { StatusPageDeps } from './read-status-pages.js';
import { announcePost } from './subscribers/announce-post.js';
import { statusPageStore, type StatusPageRow } from './status-page-store.js';

/** Publishes a post on a status page. @throws Fault not_found, validation_failed (a system of another page) */
export async function createPost(
  deps: StatusPageDeps,
  actor: Actor,
  pageId: string,
  { notify, ...input }: PostCreateInput,
): Promise<PostView> {
  const { workspaceId } = actor.workspace;
  const { slug, post } = await deps.db.transaction(async (tx) => {
    const page = await holdPage(tx, workspaceId, pageId);
    await requireSystems(tx, workspaceId, pageId, input.systemIds);
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const row = {
      ...input,
      id: newId(nowMs),
      status: input.status ?? defaultStatusOf(input.kind),
      scheduledStart: momentOf(input.scheduledStart),
      scheduledEnd: momentOf(input.scheduledEnd),
      createdBy: actor.caller.userId,
      created: now,
      lastModified: now,
    };
    await postStore.insert(workspaceId, tx, pageId, row);
    if (notify) await announcePost(tx, workspaceId, page, row, now);
    const post = await viewOfPost(tx, workspaceId, { pageId, postId: row.id });
    await recordAudit(deps, tx, actor, {
      action: 'post.created',
      target: { id: row.id, name: row.title },
      after: { statusPageId: pageId, ...auditedPost(post) },
    });
    return { slug: page.slug, post };
  });
  deps.onPageChanged(slug);
  return post;
}

export function momentOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** The page, which nobody changes until the transaction ends. @throws Fault not_found */
export async function holdPage(tx: Tx, workspaceId: string, pageId: string): Promise<StatusPageRow> {
  const page = found(await statusPageStore.find(workspaceId, tx, pageId, 'FOR NO KEY UPDATE'), 'status page');
  return page;
}

/** @throws Fault validation_failed where one of these is no system of the page */
export async function requireSystems(
  tx: Tx,
  workspaceId: string,
  pageId: string,
  systemIds: readonly string[],
): Promise<void> {
  if (systemIds.length === 0) return;
  const known = new Set((await statusPageStore.allSystems(workspaceId, tx, pageId)).map(({ id }) => id));
  const details = systemIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `systemIds.${index}`, message: 'is not a system of this page' }],
  );
  if (details.length > 0) throw invalidFields(details);
}
