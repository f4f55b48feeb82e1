import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { groupBy } from '../../platform/http/group-by.js';
import type { MonitorChange, MonitorListener } from '../monitors/index.js';
import { groupUseStore } from './group-use-store.js';

/** Attaches the default groups of the workspace to new monitors, and detaches all groups from purged monitors. */
export function alertsMonitorListener(deps: { clock: Clock }): MonitorListener {
  return async (tx, changes) => {
    for (const [workspaceId, ofWorkspace] of groupBy(changes, (change) => change.workspaceId)) {
      const keysOf = (kind: MonitorChange['kind']) =>
        ofWorkspace.filter((change) => change.kind === kind).map(({ monitorKey }) => monitorKey);
      const [created, deleted] = [keysOf('created'), keysOf('deleted')];
      if (created.length > 0) await groupUseStore.attachDefaults(workspaceId, tx, created, new Date(deps.clock.now()));
      if (deleted.length > 0) await groupUseStore.detachPurged(workspaceId, tx, deleted);
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
