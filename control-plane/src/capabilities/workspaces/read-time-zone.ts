import type { Tx } from '../../platform/db/database.js';
import { workspaceStore } from './workspace-store.js';

/** The time zone of a workspace, for schedules that name none. */
export function readTimeZone(tx: Tx, workspaceId: string): Promise<string> {
  return workspaceStore.timeZone(workspaceId, tx);
}
