import { laterThan } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import { recordAudit } from '../../audit/index.js';
import type { Actor } from '../../../platform/identity/caller.js';
import type { MonitorReadDeps } from '../monitor-deps.js';
import { describeFoundGroup } from './describe-service-group.js';
import type { ServiceGroupUpdateInput, ServiceGroupView } from './service-group-schemas.js';
import { serviceGroupStore } from './service-group-store.js';
import { serviceGroupViewStore } from './service-group-view-store.js';

/** Throws where the caller's copy of the group is out of date. */
export type CheckGroup = (current: ServiceGroupView) => void;

/** Changes the name and what the group is about. What changes nothing writes nothing. @throws Fault not_found, precondition_failed */
export async function renameServiceGroup(
  deps: MonitorReadDeps,
  actor: Actor,
  id: string,
  input: ServiceGroupUpdateInput,
  checkPrecondition: CheckGroup = () => {},
): Promise<ServiceGroupView> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const [row] = await serviceGroupStore.lock(workspaceId, tx, [id]);
    if (!row) throw notFound('service group');
    const before = describeFoundGroup(await serviceGroupViewStore.find(workspaceId, tx, id), deps.clock.now());
    checkPrecondition(before);
    const { name = row.name, hostname = row.hostname } = input;
    if (name === row.name && hostname === row.hostname) return before;
    const lastModified = laterThan(row.lastModified, deps.clock.now());
    await serviceGroupStore.update(workspaceId, tx, { ...row, name, hostname, lastModified });
    await recordAudit(deps, tx, actor, {
      action: 'service_group.updated',
      target: { id, name },
      before: { name: row.name, hostname: row.hostname },
      after: { name, hostname },
    });
    return describeFoundGroup(await serviceGroupViewStore.find(workspaceId, tx, id), deps.clock.now());
  });
}
