import type { Database } from '../../platform/db/database.js';
import { type ListPage, mapPage, type Rows } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditTargetType } from './audit-actions.js';
import { type AuditEntry, auditEntrySchema } from './audit-schemas.js';
import { type AuditFilter, auditStore, type EntryRow } from './audit-store.js';

export interface AuditQuery extends Omit<AuditFilter, 'actions'> {
  action?: AuditAction | undefined;
  targetType?: AuditTargetType | undefined;
}

/** The audit log of the workspace, newest first. */
export async function listAudit(
  deps: { db: Database },
  { workspace }: Actor,
  { action, targetType, ...filter }: AuditQuery,
  page: Rows,
): Promise<ListPage<AuditEntry>> {
  const ofType = targetType && AUDIT_ACTIONS.filter((known) => typeOf(known) === targetType);
  const actions = action === undefined ? ofType : [action].filter((one) => ofType?.includes(one) ?? true);
  return mapPage(
    await deps.db.read((tx) => auditStore.page(workspace.workspaceId, tx, { ...filter, actions }, page)),
    describeEntry,
  );
}

function typeOf(action: AuditAction): AuditTargetType {
  return action.split('.')[0] as AuditTargetType;
}

function describeEntry({ actorType, actorId, actorName, targetId, targetName, ...row }: EntryRow): AuditEntry {
  return viewOf(auditEntrySchema, {
    ...row,
    via: row.via as AuditEntry['via'],
    actor: { type: actorType, id: actorId, name: actorName },
    target: { type: typeOf(row.action), id: targetId, name: targetName },
  });
}
