import type { AuditedChange } from '../audit/index.js';
import type { ActionGroup, GroupSecrets } from './action-group.js';
import type { DisabledGroup } from './group-limit-store.js';

/** For the audit log: a group that the service itself disables. */
export function disabledGroup({ workspaceId, id, name }: DisabledGroup): AuditedChange {
  return {
    workspaceId,
    action: 'action_group.updated',
    target: { id, name },
    before: { isEnabled: true },
    after: { isEnabled: false },
  };
}

/** For the audit log: what people set of a group. Monitors come and go by changes of their own. */
export function auditedGroup(shown: ActionGroup): object {
  // Recipients and other requests change these, not whoever changes the group.
  const { monitorCount: _, recipientsPending: _pending, recipientsRefused: _refused, ...group } = shown;
  return group;
}

/** The fields that show a mask before and after and stand for another secret now. */
export function changedGroupSecrets(headers: object, before: GroupSecrets, after: GroupSecrets): string[] {
  const [was, is] = [before.headers ?? {}, after.headers ?? {}];
  const names = Object.keys(headers).filter((name) => {
    const lower = name.toLowerCase();
    return Object.hasOwn(was, lower) && Object.hasOwn(is, lower) && was[lower] !== is[lower];
  });
  return [...names.map((name) => `headers.${name}`), ...(before.webhookUrl === after.webhookUrl ? [] : ['webhookUrl'])];
}
