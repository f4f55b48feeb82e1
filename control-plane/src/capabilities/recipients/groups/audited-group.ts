import type { ActionGroup } from './action-group.js';
import { type GroupContent, secretsByField } from '../../group-settings/index.js';

/** Returns a group as the audit log stores it: only what people set. Attaching monitors is audited separately. */
export function auditedGroup(shown: ActionGroup): object {
  // These change with the answers of recipients, with documents and with other requests.
  const {
    monitorCount: _,
    managedBy: _managed,
    recipientsPending: _pending,
    recipientsRefused: _refused,
    ...group
  } = shown;
  return group;
}

/** Returns the fields whose secret changed although the mask before and after is the same. */
export function changedGroupSecrets(before: GroupContent, after: GroupContent): string[] {
  const [was, is] = [secretsByField(before), secretsByField(after)];
  return Object.keys(is).filter((field) => Object.hasOwn(was, field) && was[field] !== is[field]);
}
