import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../db/database.js';
import { seriesStore } from './series-store.js';

/** To be called in the transaction that changes a workspace's quorum: the next sweep decides all its monitors again. */
export function reconsiderWorkspace(deps: { clock: Clock }, tx: Tx, workspaceId: string): Promise<void> {
  return seriesStore.reconsiderWorkspace(workspaceId, tx, new Date(deps.clock.now()));
}
