import type { ListPage, Rows } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import type { MonitorReadDeps } from '../monitor-deps.js';
import { describeFoundGroup, describeServiceGroup } from './describe-service-group.js';
import type { ServiceGroupView } from './service-group-schemas.js';
import { serviceGroupViewStore } from './service-group-view-store.js';

/** Groups of the workspace with their monitors, newest first: either existing ones or deleted ones that can be restored. */
export async function listServiceGroups(
  deps: MonitorReadDeps,
  actor: Actor,
  filter: { isDeleted: boolean },
  page: Rows,
): Promise<ListPage<ServiceGroupView>> {
  const now = new Date(deps.clock.now());
  const { items: rows, total } = await deps.db.read((tx) =>
    serviceGroupViewStore.page(actor.workspace.workspaceId, tx, filter.isDeleted, now, page),
  );
  return { items: rows.map((row) => describeServiceGroup(row, now.getTime())), total };
}

/** One group with its monitors. @throws Fault not_found, for a deleted one too */
export async function getServiceGroup(deps: MonitorReadDeps, actor: Actor, id: string): Promise<ServiceGroupView> {
  return describeFoundGroup(
    await deps.db.read((tx) => serviceGroupViewStore.find(actor.workspace.workspaceId, tx, id)),
    deps.clock.now(),
  );
}
