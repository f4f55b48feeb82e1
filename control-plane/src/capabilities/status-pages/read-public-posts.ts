import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import type { PostView } from './post-schemas.js';
import { postStore } from './post-store.js';
import type { PublicHistoryEntry, PublicPost } from './public-page-schemas.js';
import { publicPageStore, type PublishedPage, type SystemMonitorRow } from './public-page-store.js';
import { withThreads } from './read-posts.js';

const HISTORY_MS = 30 * DAY_MS;
const LIMIT = 50;

interface Shown {
  /** The systems shown to visitors. */
  systemIds: ReadonlySet<string>;
  nowMs: number;
}

/** Posts that are open, or those that are resolved, without their authors. */
export async function readPublicPosts(
  tx: Tx,
  { workspaceId, id }: PublishedPage,
  { systemIds, nowMs }: Shown,
  isResolved: boolean,
): Promise<PublicPost[]> {
  const since = new Date(nowMs - HISTORY_MS);
  const rows = await postStore.current(workspaceId, tx, id, { isResolved, since, limit: LIMIT });
  return (await withThreads(tx, workspaceId, rows)).map((post) => publicPost(post, systemIds));
}

/** Past events and ongoing outages, newest first. */
export async function readPublicHistory(
  tx: Tx,
  page: PublishedPage,
  shown: Shown,
  monitors: readonly SystemMonitorRow[],
): Promise<PublicHistoryEntry[]> {
  const keys = [...new Set(monitors.map(({ monitorKey }) => monitorKey))];
  const since = new Date(shown.nowMs - HISTORY_MS);
  const outages = await publicPageStore.outages(page.workspaceId, tx, keys, since, LIMIT);
  const posts = await readPublicPosts(tx, page, shown, true);
  const entries: PublicHistoryEntry[] = [
    ...outages.map((outage) => ({
      type: 'outage' as const,
      systemIds: monitors.filter(({ monitorKey }) => monitorKey === outage.monitorKey).map(({ systemId }) => systemId),
      started: outage.started.toISOString(),
      ended: outage.ended?.toISOString() ?? null,
      severity: outage.severity,
      worstSeverity: outage.worstSeverity,
      post: null,
    })),
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
  return entries.toSorted((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : 0)).slice(0, LIMIT);
}

function publicPost({ createdBy: _, updates, ...post }: PostView, systemIds: ReadonlySet<string>): PublicPost {
  return {
    ...post,
    systemIds: post.systemIds.filter((id) => systemIds.has(id)),
    updates: updates.map(({ status, body, created }) => ({ status, body, created })),
  };
}
