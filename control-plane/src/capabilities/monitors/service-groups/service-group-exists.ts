import type { Tx } from '../../../platform/db/database.js';
import { serviceGroupStore } from './service-group-store.js';

/** Whether the workspace has this group, not deleted. Until the transaction ends nobody deletes it. */
export function serviceGroupExists(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  return serviceGroupStore.exists(workspaceId, tx, id);
}
