import type { ListPage, Rows } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import type { Actor } from '../../platform/identity/caller.js';
import { describeMonitor } from './describe-monitor.js';
import { pingUrlsFor } from './heartbeat/ping-url.js';
import type { MonitorViewDeps, MonitorReadDeps } from './monitor-deps.js';
import type { MonitorView, TagCount } from './monitor-schemas.js';
import type { MonitorFilter } from './monitor-filter.js';
import { type MonitorSort, monitorViewStore } from './monitor-view-store.js';
import { tagStore, type TagSort } from './tag-store.js';

/** Monitors of the workspace, by default newest first. */
export async function listMonitors(
  deps: MonitorViewDeps,
  actor: Actor,
  filter: MonitorFilter,
  page: Rows,
  sort: MonitorSort = '-created',
): Promise<ListPage<MonitorView>> {
  const nowMs = deps.clock.now();
  // Filters make too many texts to keep, and their plans depend on the parameters.
  const isPlain = Object.values(filter).every((value) => value === undefined);
  const { items: rows, total } = await deps.db.read((tx) =>
    monitorViewStore.page(
      actor.workspace.workspaceId,
      isPlain ? keptStatements(tx) : tx,
      filter,
      sort,
      new Date(nowMs),
      page,
    ),
  );
  const pingUrlOf = pingUrlsFor(deps, actor);
  return { items: rows.map((row) => describeMonitor(row, nowMs, pingUrlOf)), total };
}

export async function listTags(
  deps: Pick<MonitorReadDeps, 'db'>,
  actor: Actor,
  sort: TagSort,
  page: Rows,
): Promise<ListPage<TagCount>> {
  const { items: rows, total } = await deps.db.read((tx) => tagStore.page(actor.workspace.workspaceId, tx, sort, page));
  return { items: rows, total };
}
