import type { ListPage, Rows } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import type { MonitorReadDeps } from './monitor-deps.js';
import type { TagCount } from './monitor-schemas.js';
import { tagStore } from './tag-store.js';

/** The tags of the workspace's monitors, alphabetical. */
export async function listTags(
  deps: Pick<MonitorReadDeps, 'db'>,
  actor: Actor,
  page: Rows,
): Promise<ListPage<TagCount>> {
  const { items: rows, total } = await deps.db.read((tx) => tagStore.page(actor.workspace.workspaceId, tx, page));
  return { items: rows, total };
}
