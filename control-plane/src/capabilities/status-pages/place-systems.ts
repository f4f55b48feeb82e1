import { isDeepStrictEqual } from 'node:util';
import { invalidFields } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import { lockTargets } from '../monitors/index.js';
import { decideSystems } from './decide-systems.js';
import type { GroupsInput } from './status-page-schemas.js';
import { statusPageStore, type SystemRow } from './status-page-store.js';

/**
 * Sets the systems of a status page. The monitors and groups that they show are locked against deletion.
 * @param page with its present systems
 * @returns whether they changed
 * @throws Fault validation_failed, not_found (a monitor or service group)
 */
export async function placeSystems(
  tx: Tx,
  workspaceId: string,
  page: { id: string; systems: readonly SystemRow[] },
  groups: GroupsInput,
  nowMs: number,
): Promise<boolean> {
  const { systems, faults } = decideSystems(groups, page.systems, () => newId(nowMs));
  if (faults.length > 0) throw invalidFields(faults);
  await lockTargets(tx, workspaceId, {
    monitorIds: systems.flatMap(({ monitorId }) => monitorId ?? []),
    serviceGroupIds: systems.flatMap(({ serviceGroupId }) => serviceGroupId ?? []),
  });
  if (isDeepStrictEqual(systems, page.systems)) return false;
  await statusPageStore.replaceSystems(workspaceId, tx, page.id, systems);
  return true;
}
