import type { AuditedChange } from '../../audit/index.js';

export interface DisabledGroup {
  workspaceId: string;
  id: string;
  name: string;
}

/** Returns the audit record of a group that the service disables. */
export function disabledGroup({ workspaceId, id, name }: DisabledGroup): AuditedChange {
  return {
    workspaceId,
    action: 'action_group.updated',
    target: { id, name },
    before: { isEnabled: true },
    after: { isEnabled: false },
  };
}
