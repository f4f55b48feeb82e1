import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { seriesStore } from './series-store.js';

/** To be called in the transaction that changes a workspace's quorum: the next sweep decides all its monitors again. */
export function reconsiderWorkspace(deps: { clock: Clock }, tx: Tx, workspaceId: string): Promise<void> {
  return seriesStore.reconsiderWorkspace(workspaceId, tx, new Date(deps.clock.now()));
}

/** The same for all that an account owns: its plan changed, and with it the regions that are run. */
export function reconsiderOwner(deps: { clock: Clock }, tx: Tx, ownerId: string): Promise<void> {
  return seriesStore.reconsiderOwner(ownerId, tx, new Date(deps.clock.now()));
}
