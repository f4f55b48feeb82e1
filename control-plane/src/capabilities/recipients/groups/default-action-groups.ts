import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { MonitorChange, MonitorListener } from '../../monitors/index.js';
import { groupUseStore } from './group-use-store.js';

export function attachDefaultGroups(deps: { clock: Clock }): MonitorListener {
  return forKeys('created', (workspaceId, tx, keys) =>
    groupUseStore.attachDefaults(workspaceId, tx, keys, new Date(deps.clock.now())),
  );
}

export function detachPurgedGroups(): MonitorListener {
  return forKeys('deleted', (workspaceId, tx, keys) => groupUseStore.detachPurged(workspaceId, tx, keys));
}

function forKeys(
  kind: MonitorChange['kind'],
  work: (workspaceId: string, tx: Tx, monitorKeys: readonly number[]) => Promise<void>,
): MonitorListener {
  return async (tx, changes) => {
    const ofKind = changes.filter((change) => change.kind === kind);
    for (const [workspaceId, monitors] of groupBy(ofKind, (change) => change.workspaceId))
      await work(
        workspaceId,
        tx,
        monitors.map(({ monitorKey }) => monitorKey),
      );
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
