import type { AuditedChange } from '../../audit/index.js';
import type { MemberRow, ServiceGroupRow } from './service-group-store.js';

type Change = Pick<AuditedChange, 'action' | 'before' | 'after'>;

export function groupChange(workspaceId: string, { id, name }: ServiceGroupRow, change: Change): AuditedChange {
  return { workspaceId, target: { id, name }, ...change };
}

export function memberChanges(workspaceId: string, members: readonly MemberRow[], change: Change): AuditedChange[] {
  return members.map(({ id, name }) => ({ workspaceId, target: { id, name }, ...change }));
}

export function deletedGroup(workspaceId: string, row: ServiceGroupRow): AuditedChange {
  const { name, hostname } = row;
  return groupChange(workspaceId, row, { action: 'service_group.deleted', before: { name, hostname }, after: null });
}
