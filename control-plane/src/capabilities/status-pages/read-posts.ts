import { notFound, found } from '@watchpost/shared/fault';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { postSchema, postUpdateSchema, type PostView } from './post-schemas.js';
import { type PostRow, postStore, type ThreadRows } from './post-store.js';
import type { StatusPageDeps } from './read-status-pages.js';
import { statusPageStore } from './status-page-store.js';

/** Bytes of text that a list carries of updates. */
const LIST_TEXT_BYTES = 2 * 1024 * 1024;

/** Posts of a page with their threads, newest first. @throws Fault not_found */
export async function listPosts(
  deps: Pick<StatusPageDeps, 'db'>,
  actor: Actor,
  pageId: string,
  page: Rows,
): Promise<ListPage<PostView>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    if (!(await statusPageStore.find(workspaceId, tx, pageId))) throw notFound('status page');
    const { items: rows, total } = await postStore.page(workspaceId, tx, pageId, page);
    return { items: await withThreads(tx, workspaceId, rows, LIST_TEXT_BYTES), total };
  });
}

/** @throws Fault not_found */
export async function getPost(deps: Pick<StatusPageDeps, 'db'>, actor: Actor, ids: PostIds): Promise<PostView> {
  return deps.db.read((tx) => viewOfPost(tx, actor.workspace.workspaceId, ids));
}

export interface PostIds {
  pageId: string;
  postId: string;
}

/** @throws Fault not_found */
export async function viewOfPost(tx: Tx, workspaceId: string, { pageId, postId }: PostIds): Promise<PostView> {
  const row = found(await postStore.find(workspaceId, tx, pageId, postId), 'post');
  const [view] = await withThreads(tx, workspaceId, [row], null);
  return view!;
}

async function withThreads(
  tx: Tx,
  workspaceId: string,
  rows: readonly PostRow[],
  textBytes: number | null,
): Promise<PostView[]> {
  const ids = rows.map(({ id }) => id);
  const threads = await postStore.threads(workspaceId, tx, ids, textBytes);
  return rows.map((row) => describePost(row, threads.get(row.id)!));
}

function describePost(row: PostRow, { updates, isShortened }: ThreadRows): PostView {
  return viewOf(postSchema, {
    ...row,
    updates: updates.map((update) => viewOf(postUpdateSchema, update)),
    moreUpdates: isShortened,
  });
}

/** The fields that people set and the text of each update, for the audit log. */
export function auditedPost(post: PostView): object {
  const { title, body, kind, status, systemIds, scheduledStart, scheduledEnd, updates } = post;
  const texts = Object.fromEntries(updates.map((update) => [update.id, update.body ?? update.status]));
  return { title, body, kind, status, systemIds, scheduledStart, scheduledEnd, updates: texts };
}
