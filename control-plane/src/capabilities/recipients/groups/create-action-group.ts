import { invalidFields, notFound } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import { channelLimit, lockWorkspaceEntitlements, requireWithinLimit } from '../../plans/index.js';
import type { RevealedGroup } from './action-group.js';
import { type ActionGroupType, channelOf, typesWithin } from '../../channels/index.js';
import {
  changedRules,
  decideGroupContent,
  type GroupInput,
  newWebhookSecret,
  sealGroupSecrets,
} from '../../group-settings/index.js';
import { actionGroupStore } from './action-group-store.js';
import type { AlertDeps } from '../../delivery/index.js';
import { auditedGroup } from './audited-group.js';
import { describeActionGroup } from './describe-action-group.js';
import { groupUseStore } from './group-use-store.js';
import { notifyOfOpenIncidents } from '../notify-of-open-incidents.js';
import { addPendingGroupRecipients } from '../consent/add-pending-recipients.js';

/**
 * Creates an action group, and attaches it to a monitor if one is given. The owner's account is locked while the groups
 * are counted, so that concurrent requests cannot exceed the limit.
 * @throws Fault validation_failed, plan_limit_exceeded, not_found (the monitor)
 */
export async function createActionGroup(
  deps: AlertDeps,
  actor: Actor,
  type: ActionGroupType,
  input: GroupInput & { readonly name: string },
  { monitorId, id = newId(deps.clock.now()) }: { monitorId?: string; id?: string } = {},
): Promise<RevealedGroup> {
  const { workspaceId } = actor.workspace;
  const secret = channelOf(type).isSigned ? newWebhookSecret() : null;
  const { name, isEnabled, attachTo, rules, settings, secrets, faults } = decideNewGroup(type, input);
  if (secret !== null) secrets.secret = secret;
  if (faults.length > 0) throw invalidFields(faults);
  return deps.db.transaction(async (tx) => {
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    const limit = channelLimit(type);
    const count = await actionGroupStore.countOfOwner(entitlements.ownerId, tx, typesWithin(limit));
    requireWithinLimit(entitlements, limit, count + 1);
    const monitorKey = monitorId === undefined ? null : await groupUseStore.lockMonitor(workspaceId, tx, monitorId);
    if (monitorKey === undefined) throw notFound('monitor');
    // The time is taken after the lock, so that groups are ordered as they were created.
    const now = new Date(deps.clock.now());
    await actionGroupStore.insert(workspaceId, tx, {
      id,
      type,
      name,
      isEnabled,
      attachTags: attachTo.tags,
      attachAll: attachTo.all,
      rules,
      settings,
      secrets: sealGroupSecrets(deps.secretBox, id, secrets),
      created: now,
      lastModified: now,
    });
    if (monitorKey !== null) await groupUseStore.attach(workspaceId, tx, id, [monitorKey], now);
    if (monitorKey !== null || attachTo.all || attachTo.tags.length > 0)
      await notifyOfOpenIncidents(deps, tx, workspaceId, id, null);
    await addPendingGroupRecipients(deps, tx, workspaceId, { type, settings });
    const group = describeActionGroup(await actionGroupStore.find(workspaceId, tx, id), deps);
    await recordAudit(deps, tx, actor, {
      action: 'action_group.created',
      target: group,
      after: { ...auditedGroup(group), ...(secret === null ? {} : { secret: MASK }), monitorId },
    });
    return { group, secret };
  });
}

/** A group as it is created by an input, without the secret that signs its messages. */
export function decideNewGroup(
  type: ActionGroupType,
  { name, isEnabled = true, attachTo = { tags: [], all: false }, ...input }: GroupInput & { readonly name: string },
) {
  const content = decideGroupContent(channelOf(type), null, input);
  return { name, isEnabled, attachTo, rules: changedRules({}, input), ...content };
}
