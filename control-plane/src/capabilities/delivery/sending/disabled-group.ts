import type { AuditedChange } from '../../audit/index.js';

export interface DisabledGroup {
  workspaceId: string;
  id: string;
  name: string;
}

export function disabledGroup({ workspaceId, id, name }: DisabledGroup): AuditedChange {
  return {
    workspaceId,
    action: 'action_group.updated',
    target: { id, name },
    before: { isEnabled: true },
    after: { isEnabled: false },
  };
}
