import { newId } from '@watchpost/shared/id';
import { recordAudit } from '../../audit/index.js';
import type { Actor } from '../../../platform/identity/caller.js';
import type { MonitorReadDeps } from '../monitor-deps.js';
import { describeFoundGroup } from './describe-service-group.js';
import type { ServiceGroupCreateInput, ServiceGroupView } from './service-group-schemas.js';
import { serviceGroupStore } from './service-group-store.js';
import { serviceGroupViewStore } from './service-group-view-store.js';

/** Creates an empty group; monitors join it by their `serviceGroupId`. */
export async function createServiceGroup(
  deps: MonitorReadDeps,
  actor: Actor,
  { name, hostname }: ServiceGroupCreateInput,
  id = newId(deps.clock.now()),
): Promise<ServiceGroupView> {
  const { workspaceId } = actor.workspace;
  const now = new Date(deps.clock.now());
  return deps.db.transaction(async (tx) => {
    const row = { id, name, hostname, deletedAt: null, purgeAt: null, created: now, lastModified: now };
    await serviceGroupStore.insert(workspaceId, tx, row);
    await recordAudit(deps, tx, actor, { action: 'service_group.created', target: row, after: { name, hostname } });
    return describeFoundGroup(await serviceGroupViewStore.find(workspaceId, tx, id), deps.clock.now());
  });
}
