import { notFound } from '@watchpost/shared/fault';
import { type ListPage, mapPage, type Rows, type Tx } from '../../../platform/db/tx.js';
import type { Actor } from '../../../platform/identity/caller.js';
import type { ActionGroup } from './action-group.js';
import type { ActionGroupType } from '../../channels/index.js';
import { actionGroupStore } from './action-group-store.js';
import type { AlertDeps } from '../../delivery/index.js';
import { describeActionGroup } from './describe-action-group.js';
import { groupUseStore } from './group-use-store.js';

export interface GroupQuery {
  type?: ActionGroupType | undefined;
  /** Only groups that are attached to this monitor. */
  monitorId?: string | undefined;
}

/** One group. Where a type or a monitor is given, a group of another type or not attached to it is not found. */
export interface GroupTarget extends GroupQuery {
  id: string;
}

/** Lists the action groups of the workspace, newest first. @throws Fault not_found (the monitor) */
export async function listActionGroups(
  deps: Pick<AlertDeps, 'db' | 'recipientVerification'>,
  actor: Actor,
  query: GroupQuery,
  page: Rows,
): Promise<ListPage<ActionGroup>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    const monitorKey = await requireMonitorKey(workspaceId, tx, query.monitorId);
    return mapPage(await actionGroupStore.list(workspaceId, tx, { type: query.type, monitorKey }, page), (row) =>
      describeActionGroup(row, deps),
    );
  });
}

/** @throws Fault not_found */
export async function getActionGroup(
  deps: Pick<AlertDeps, 'db' | 'recipientVerification'>,
  actor: Actor,
  { id, type, monitorId }: GroupTarget,
): Promise<ActionGroup> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    const monitorKey = await requireMonitorKey(workspaceId, tx, monitorId);
    return describeActionGroup(await actionGroupStore.find(workspaceId, tx, id, { type, monitorKey }), deps);
  });
}

/** Lists the monitors that a group is attached to, by name. @throws Fault not_found (the group) */
export async function listGroupMonitors(
  deps: Pick<AlertDeps, 'db'>,
  actor: Actor,
  groupId: string,
  page: Rows,
): Promise<ListPage<{ monitorId: string; name: string }>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    if (!(await actionGroupStore.find(workspaceId, tx, groupId))) throw notFound('action group');
    return groupUseStore.monitors(workspaceId, tx, groupId, page);
  });
}

/** @returns the key of a monitor, undefined where none is given. @throws Fault not_found */
export async function requireMonitorKey(
  workspaceId: string,
  tx: Tx,
  monitorId: string | undefined,
): Promise<number | undefined> {
  if (monitorId === undefined) return undefined;
  const key = await groupUseStore.monitorKey(workspaceId, tx, monitorId);
  if (key === undefined) throw notFound('monitor');
  return key;
}
