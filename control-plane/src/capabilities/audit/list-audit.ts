import type { Database, ListPage, Rows } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditTargetType } from './audit-actions.js';
import type { AuditEntry } from './audit-schemas.js';
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
  const { items: rows, total } = await deps.db.read((tx) =>
    auditStore.page(workspace.workspaceId, tx, { ...filter, actions }, page),
  );
  return { items: rows.map(describeEntry), total };
}

function typeOf(action: AuditAction): AuditTargetType {
  return action.split('.')[0] as AuditTargetType;
}

function describeEntry(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    via: row.via as AuditEntry['via'],
    target: { type: typeOf(row.action), id: row.targetId, name: row.targetName },
    changes: row.changes,
    requestId: row.requestId,
    remoteAddress: row.remoteAddress,
  };
}
