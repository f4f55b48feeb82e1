import { found } from '@watchpost/shared/fault';
import { derivedId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import { type PostRow, postStore, type PostUpdateRow, type ThreadRows } from './post-store.js';
import { type PublicHistoryEntry, type PublicPost, publicPostSchema } from './public-page-schemas.js';
import { publicPageStore, type PublishedPage, type SystemMonitorRow } from './public-page-store.js';

const HISTORY_MS = 30 * DAY_MS;
const LIMIT = 50;
/** Bytes of text that a list of posts carries of updates, and as much of bodies; and of updates in the document of a post. */
const TEXT_BYTES = 512 * 1024;
/** Characters that remain of a longer body beyond that. */
const BEGINNING = 2_000;

interface Shown {
  /** The systems shown to visitors. */
  systemIds: ReadonlySet<string>;
  nowMs: number;
}

export interface PublicPosts {
  posts: PublicPost[];
  /** The ids of those of which text is left out. */
  shortened: string[];
}

export interface PublicThread extends Pick<PublicPost, 'body' | 'updates'> {
  /** Whether older updates are left out. */
  isShortened: boolean;
}

/** Posts that are open, or those that are resolved, without their authors. */
export async function readPublicPosts(
  tx: Tx,
  { workspaceId, id }: PublishedPage,
  { systemIds, nowMs }: Shown,
  isResolved: boolean,
): Promise<PublicPosts> {
  const since = new Date(nowMs - HISTORY_MS);
  const bounds = { isResolved, since, limit: LIMIT, textBytes: TEXT_BYTES, beginning: BEGINNING };
  const rows = await postStore.current(workspaceId, tx, id, bounds);
  const ids = rows.map((row) => row.id);
  const threads = await postStore.threads(workspaceId, tx, ids, TEXT_BYTES);
  return {
    posts: rows.map((row) => publicPost(row, threads.get(row.id)!, systemIds)),
    shortened: rows.filter((row) => row.isShortened || threads.get(row.id)!.isShortened).map((row) => row.id),
  };
}

/** The texts of a post, for its own document. @throws Fault not_found */
export async function readPublicThread(
  tx: Tx,
  { workspaceId, id }: PublishedPage,
  postId: string,
): Promise<PublicThread> {
  const row = found(await postStore.find(workspaceId, tx, id, postId), 'post');
  const { updates, isShortened } = (await postStore.threads(workspaceId, tx, [postId], TEXT_BYTES)).get(postId)!;
  return { body: row.body, updates: updates.map(publicUpdate), isShortened };
}

/** Past events and ongoing outages, newest first. */
export async function readPublicHistory(
  tx: Tx,
  page: PublishedPage,
  shown: Shown,
  monitors: readonly SystemMonitorRow[],
): Promise<{ history: PublicHistoryEntry[]; shortened: string[]; outageIds: Map<PublicHistoryEntry, string> }> {
  const keys = [...new Set(monitors.map(({ monitorKey }) => monitorKey))];
  const since = new Date(shown.nowMs - HISTORY_MS);
  const outages = await publicPageStore.outages(page.workspaceId, tx, keys, since, LIMIT);
  const { posts, shortened } = await readPublicPosts(tx, page, shown, true);
  const outageIds = new Map<PublicHistoryEntry, string>();
  for (const outage of outages) {
    const entry: PublicHistoryEntry = {
      type: 'outage',
      systemIds: monitors.filter(({ monitorKey }) => monitorKey === outage.monitorKey).map(({ systemId }) => systemId),
      started: outage.started.toISOString(),
      ended: outage.ended?.toISOString() ?? null,
      severity: outage.severity,
      worstSeverity: outage.worstSeverity,
      post: null,
    };
    // The id of the incident is not public.
    outageIds.set(entry, derivedId(`${page.id} ${outage.id}`));
  }
  const entries: PublicHistoryEntry[] = [
    ...outageIds.keys(),
    ...posts.map((post) => ({
      type: 'post' as const,
      systemIds: post.systemIds,
      started: post.created,
      ended: post.lastModified,
      severity: null,
      worstSeverity: null,
      post,
    })),
  ];
  const history = entries
    .toSorted((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : 0))
    .slice(0, LIMIT);
  return { history, shortened, outageIds };
}

function publicPost(post: PostRow, { updates }: ThreadRows, systemIds: ReadonlySet<string>): PublicPost {
  return viewOf(publicPostSchema, {
    ...post,
    systemIds: post.systemIds.filter((systemId) => systemIds.has(systemId)),
    updates: updates.map(publicUpdate),
  });
}

function publicUpdate({ status, body, created }: PostUpdateRow): PublicPost['updates'][number] {
  return { status, body, created: created.toISOString() };
}
