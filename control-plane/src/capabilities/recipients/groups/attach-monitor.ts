import { invalidField, notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/tx.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import type { ActionGroup } from './action-group.js';
import { actionGroupStore } from './action-group-store.js';
import type { AlertDeps } from '../../delivery/index.js';
import { describeActionGroup, lockActionGroup } from './describe-action-group.js';
import { groupUseStore } from './group-use-store.js';
import { notifyOfOpenIncidents } from '../notify-of-open-incidents.js';

export interface Attachment {
  id: string;
  monitorId: string;
}

interface Move {
  id: string;
  monitorIds: readonly string[];
  isAdded: boolean;
  isDryRun: boolean;
}

/** Names what to do where tags, or all monitors, have the group. */
const CURE = 'change it, or the tags of the monitors';

type Deps = Pick<AlertDeps, 'db' | 'clock' | 'recipientVerification'>;

/**
 * Attaches a group to monitors one by one and notifies it of what is open, or detaches it, with an entry in the audit log for each.
 * @returns the monitors that were not so already, the oldest first
 * @throws Fault not_found, validation_failed where `attachTo` would leave the group attached
 */
export async function moveToGroup(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { id, monitorIds, isAdded, isDryRun }: Move,
): Promise<{ monitorIds: string[]; hasOtherChecks: boolean }> {
  const { workspaceId } = actor.workspace;
  const group = isDryRun
    ? describeActionGroup(await actionGroupStore.find(workspaceId, tx, id), deps)
    : (await lockActionGroup(deps, tx, workspaceId, id)).group;
  const monitors = await groupUseStore.attachments(workspaceId, tx, id, monitorIds, !isDryRun);
  const kept = isAdded ? [] : monitors.filter(({ isByRule }) => isByRule);
  if (kept.length > 0)
    throw invalidField(
      'actionGroupId',
      `stays attached to ${kept.length} of the monitors by its \`attachTo\`: ${CURE}`,
    );
  const changing = monitors.filter(({ isSingle }) => isSingle !== isAdded);
  if (!isDryRun && changing.length > 0) {
    const keys = changing.map(({ key }) => key);
    if (isAdded) {
      await groupUseStore.attach(workspaceId, tx, id, keys, new Date(deps.clock.now()));
      await notifyOfOpenIncidents(deps, tx, workspaceId, id, keys);
    } else await groupUseStore.detach(workspaceId, tx, id, keys);
    const entries = changing.map(({ id: monitorId }) =>
      isAdded
        ? { action: 'action_group.attached' as const, target: group, after: { monitorId } }
        : { action: 'action_group.detached' as const, target: group, before: { monitorId } },
    );
    await recordAudit(deps, tx, actor, ...entries);
  }
  return { monitorIds: changing.map(({ id: monitorId }) => monitorId), hasOtherChecks: false };
}

/** Attaches a group to a monitor, and notifies it of what is open; repeating it changes nothing. @throws Fault not_found */
export async function attachMonitor(deps: Deps, actor: Actor, { id, monitorId }: Attachment): Promise<ActionGroup> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    await lockActionGroup(deps, tx, workspaceId, id);
    if ((await groupUseStore.monitorKey(workspaceId, tx, monitorId)) === undefined) throw notFound('monitor');
    await moveToGroup(deps, tx, actor, { id, monitorIds: [monitorId], isAdded: true, isDryRun: false });
    return describeActionGroup(await actionGroupStore.find(workspaceId, tx, id), deps);
  });
}

/**
 * Detaches a group from a monitor.
 * @param detach default: it refuses where the group would stay attached by its `attachTo`
 * @throws Fault not_found, precondition_failed
 */
export async function detachMonitor(
  deps: Deps,
  actor: Actor,
  { id, monitorId }: Attachment,
  detach: typeof detachOne = detachOne,
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const { group } = await lockActionGroup(deps, tx, workspaceId, id);
    const monitorKey = await groupUseStore.monitorKey(workspaceId, tx, monitorId);
    if (monitorKey === undefined || !(await detach(workspaceId, tx, id, monitorKey)))
      throw notFound('monitor with this action group');
    actor.checkPrecondition?.(group);
    await recordAudit(deps, tx, actor, { action: 'action_group.detached', target: group, before: { monitorId } });
  });
}

/** Leaves it attached by `attachTo`. @returns whether the group was attached to the monitor by itself */
export async function detachSingle(workspaceId: string, tx: Tx, id: string, monitorKey: number): Promise<boolean> {
  return groupUseStore.detach(workspaceId, tx, id, [monitorKey]);
}

/** @returns whether the group was attached to the monitor. @throws Fault validation_failed where `attachTo` attaches it */
export async function detachOne(workspaceId: string, tx: Tx, id: string, monitorKey: number): Promise<boolean> {
  const wasAttached = await detachSingle(workspaceId, tx, id, monitorKey);
  if (await groupUseStore.isAttached(workspaceId, tx, id, monitorKey))
    throw invalidField('attachTo', `attaches the action group to this monitor: ${CURE}`);
  return wasAttached;
}
