import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { MonitorListener } from '../monitors/index.js';
import { groupUseStore } from './group-use-store.js';

/** Attaches the workspace's default groups to every new monitor, and leaves nothing attached to one that is gone for good. */
export function alertsMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, { kind, workspaceId, monitorKey }) => {
    if (kind === 'created') {
      await groupUseStore.attachDefaults(workspaceId, tx, monitorKey, new Date(deps.clock.now()));
    } else if (kind === 'deleted') {
      await groupUseStore.detachGone(workspaceId, tx, monitorKey);
    }
  };
}

/**
 * Refuses ids that are no action groups of the workspace. Those that are stay until the transaction ends:
 * hold the workspace before, as whoever deletes a group does.
 * @throws Fault not_found
 */
export async function requireActionGroups(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  const existing = await groupUseStore.holdExisting(workspaceId, tx, ids);
  if (ids.some((id) => !existing.includes(id))) throw notFound('action group');
}
