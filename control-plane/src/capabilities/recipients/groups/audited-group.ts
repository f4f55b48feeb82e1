import type { ActionGroup } from './action-group.js';
import { type GroupSecrets, SIGNING } from '../../channels/index.js';

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
export function changedGroupSecrets(headers: object, before: GroupSecrets, after: GroupSecrets): string[] {
  const [was, is] = [before.headers ?? {}, after.headers ?? {}];
  const names = Object.keys(headers).filter((name) => {
    const lower = name.toLowerCase();
    return Object.hasOwn(was, lower) && Object.hasOwn(is, lower) && was[lower] !== is[lower];
  });
  const fields = Object.keys(before).filter(
    (field) =>
      field !== SIGNING &&
      typeof before[field] === 'string' &&
      typeof after[field] === 'string' &&
      before[field] !== after[field],
  );
  return [...names.map((name) => `headers.${name}`), ...fields];
}
