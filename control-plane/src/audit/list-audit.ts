import type { Database } from '../db/database.js';
import type { Actor } from '../identity/caller.js';
import type { AuditTargetType } from './audit-actions.js';
import type { AuditEntry } from './audit-schemas.js';
import { type AuditFilter, auditStore, type EntryRow } from './audit-store.js';

/** The changes in the workspace, newest first. */
export async function listAudit(
  deps: { db: Database },
  { workspace }: Actor,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<{ items: AuditEntry[]; total: number }> {
  const { rows, total } = await deps.db.read((tx) => auditStore.page(workspace.workspaceId, tx, filter, page));
  return { items: rows.map(describeEntry), total };
}

function describeEntry(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    via: row.via as AuditEntry['via'],
    target: { type: row.action.split('.')[0] as AuditTargetType, id: row.targetId, name: row.targetName },
    changes: row.changes,
    requestId: row.requestId,
    remoteAddress: row.remoteAddress,
  };
}
