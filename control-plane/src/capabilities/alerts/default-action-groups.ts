import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { MonitorListener } from '../monitors/index.js';
import { groupUseStore } from './group-use-store.js';

/** Attaches the default groups of the workspace to new monitors, and detaches all groups from a purged monitor. */
export function alertsMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, { kind, workspaceId, monitorKey }) => {
    if (kind === 'created') {
      await groupUseStore.attachDefaults(workspaceId, tx, monitorKey, new Date(deps.clock.now()));
    } else if (kind === 'deleted') {
      await groupUseStore.detachPurged(workspaceId, tx, monitorKey);
    }
  };
}

/**
 * Checks that all ids are action groups of the workspace, and locks the groups against deletion until the transaction
 * ends. Lock the workspace before, as deleting a group does.
 * @throws Fault not_found
 */
export async function requireActionGroups(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  const existing = await groupUseStore.lockExisting(workspaceId, tx, ids);
  if (ids.some((id) => !existing.includes(id))) throw notFound('action group');
}
