import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { dayStore, type WorkspaceDay } from './day-store.js';

/** The figures of a workspace; null before the first, and where they describe none of the last 24 hours. One statement. */
export async function readWorkspaceDay(tx: Tx, workspaceId: string, nowMs: number): Promise<WorkspaceDay | null> {
  const day = await dayStore.ofWorkspace(workspaceId, tx);
  return day && day.untilMs > nowMs - DAY_MS ? day : null;
}
