import { BUILD } from '@watchpost/shared/build';
import type { Tx } from '../../../platform/db/database.js';
import { type LocationStateRow, locationStateStore } from './location-state-store.js';

/** The private locations of a workspace of which an agent was ever connected, by name. One statement. */
export function readLocationStates(tx: Tx, workspaceId: string, nowMs: number): Promise<LocationStateRow[]> {
  return locationStateStore.ofWorkspace(workspaceId, tx, new Date(nowMs), BUILD);
}
