import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { invalidFields } from '@watchpost/shared/fault';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import { channelLimit, lockWorkspaceEntitlements, requireWithinLimit } from '../../plans/index.js';
import type { ActionGroup } from './action-group.js';
import { channelOf, typesWithin } from '../../channels/index.js';
import {
  changedRules,
  decideGroupContent,
  type GroupInput,
  openGroupSecrets,
  sealGroupSecrets,
} from '../../group-settings/index.js';
import { actionGroupStore } from './action-group-store.js';
import type { AlertDeps } from '../../delivery/index.js';
import { auditedGroup, changedGroupSecrets } from './audited-group.js';
import { describeActionGroup, lockActionGroup } from './describe-action-group.js';
import { groupLimitStore } from './group-limit-store.js';
import { addPendingGroupRecipients } from '../consent/add-pending-recipients.js';
import { type GroupTarget, requireMonitorKey } from './read-action-groups.js';
import { notifyOfOpenIncidents } from '../notify-of-open-incidents.js';

/**
 * Changes the fields that `input` contains. An input that changes nothing is not stored.
 * @throws Fault not_found, precondition_failed, validation_failed, plan_limit_exceeded
 */
export async function updateActionGroup(
  deps: AlertDeps,
  actor: Actor,
  { id, type, monitorId }: GroupTarget,
  input: GroupInput,
): Promise<ActionGroup> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    // Enabling a group may exceed the limit, so it locks the owner's account like all that counts toward it.
    const owner = input.isEnabled === true ? await lockWorkspaceEntitlements(tx, workspaceId) : null;
    const monitorKey = await requireMonitorKey(workspaceId, tx, monitorId);
    const { row, group } = await lockActionGroup(deps, tx, workspaceId, id, { type, monitorKey });
    actor.checkPrecondition?.(group);
    const secrets = openGroupSecrets(deps.secretBox, id, row.secrets);
    const after = decideGroupContent(channelOf(row.type), { settings: row.settings, secrets }, input);
    if (after.faults.length > 0) throw invalidFields(after.faults);
    const { name = row.name, isEnabled = row.isEnabled, attachTo = group.attachTo } = input;
    if (owner && !row.isEnabled) {
      const limit = channelLimit(row.type);
      const enabled = await groupLimitStore.countEnabled(owner.ownerId, tx, typesWithin(limit));
      requireWithinLimit(owner, limit, enabled + 1, 'isEnabled', false);
    }
    const rules = changedRules(row.rules, input);
    const sameRules = isDeepStrictEqual(row.rules, rules);
    const sameSecrets = isDeepStrictEqual(secrets, after.secrets);
    const sameSettings = isDeepStrictEqual(row.settings, after.settings);
    const sameMonitors = isDeepStrictEqual(attachTo, group.attachTo);
    const isSame = sameSecrets && sameSettings && sameMonitors && sameRules;
    if (isSame && name === row.name && isEnabled === row.isEnabled) return group;
    await actionGroupStore.update(workspaceId, tx, {
      ...row,
      name,
      isEnabled,
      attachTags: attachTo.tags,
      attachAll: attachTo.all,
      rules,
      settings: after.settings,
      secrets: sameSecrets ? row.secrets : sealGroupSecrets(deps.secretBox, id, after.secrets),
      lastModified: laterThan(row.lastModified, deps.clock.now()),
    });
    await addPendingGroupRecipients(deps, tx, workspaceId, { type: row.type, settings: after.settings });
    // It may reach somebody whom it did not reach before.
    if (isEnabled && (!row.isEnabled || !sameSettings || !sameMonitors || !sameRules))
      await notifyOfOpenIncidents(deps, tx, workspaceId, id, null);
    const changed = describeActionGroup(await actionGroupStore.find(workspaceId, tx, id), deps);
    await recordAudit(deps, tx, actor, {
      action: 'action_group.updated',
      target: changed,
      before: auditedGroup(group),
      after: auditedGroup(changed),
      secrets: changedGroupSecrets({ settings: row.settings, secrets }, after),
    });
    return changed;
  });
}
