import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { columnsOf } from '../../platform/db/columns.js';
import { jsonText } from '../../platform/db/json-text.js';
import type { AuditAction } from './audit-actions.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

export type NewEntry = Omit<AuditEntryEntity, 'at'>;
export type EntryRow = Omit<AuditEntryEntity, 'workspaceId' | 'targetUserId'>;

export interface AuditFilter {
  /** Entries with any of these actions. */
  actions?: readonly AuditAction[] | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  startDate?: number | undefined;
  endDate?: number | undefined;
}

const WHERE = `entry.workspace_id = $1
  AND ($2::text[] IS NULL OR entry.action = ANY ($2))
  AND ($3::uuid IS NULL OR entry.actor_id = $3)
  AND ($4::uuid IS NULL OR entry.target_id = $4)
  AND ($5::timestamptz IS NULL OR entry.at >= $5)
  AND ($6::timestamptz IS NULL OR entry.at < $6)`;

/** The name of a person at the time of the entry, or the nearest one to it; null once the account is deleted. */
const nameOf = (column: string) => `(SELECT person.name FROM user_name person WHERE person.user_id = entry.${column}
  ORDER BY person.since > entry.at, abs(extract(epoch FROM person.since - entry.at)) LIMIT 1)`;

const COLUMNS = columnsOf(AuditEntryEntity, { without: ['workspaceId', 'actorName', 'targetName', 'targetUserId'] });

export const auditStore = {
  async insert(tx: Tx, at: Date, entries: readonly NewEntry[]): Promise<void> {
    await tx.query(
      `INSERT INTO audit_entry (id, workspace_id, at, action, actor_type, actor_id, actor_name, via, assistant, target_id,
         target_name, target_user_id, changes, request_id, remote_address)
       SELECT "id", "workspaceId", $1, "action", "actorType", "actorId", "actorName", "via",
         "assistant", "targetId",
         "targetName", "targetUserId", "changes", "requestId", "remoteAddress"
       FROM jsonb_to_recordset($2) AS entry ("id" uuid, "workspaceId" uuid, "action" text, "actorType" text,
         "actorId" uuid, "actorName" text, "via" text, "assistant" jsonb, "targetId" uuid, "targetName" text,
         "targetUserId" uuid, "changes" jsonb, "requestId" text, "remoteAddress" text)`,
      [at, jsonText(entries)],
    );
  },

  /** Newest first. */
  async page(
    workspaceId: string,
    tx: Tx,
    { actions, actorId, targetId, startDate, endDate }: AuditFilter,
    rows: Rows,
  ): Promise<ListPage<EntryRow>> {
    const list = {
      columns: `${COLUMNS}, coalesce(actor_name, ${nameOf('actor_id')}) AS "actorName",
        coalesce(target_name, ${nameOf('target_user_id')}) AS "targetName"`,
      from: 'audit_entry entry',
      where: WHERE,
      orderBy: 'at DESC, id DESC',
    };
    const filter = [workspaceId, actions, actorId, targetId, dateOf(startDate), dateOf(endDate)];
    return tx.page(list, filter, rows);
  },
};

/** Entries of all workspaces, for the service's own housekeeping. Each function returns the number of deleted rows. */
export const auditPurgeStore = {
  /** Permits this transaction to delete entries. */
  async allow(tx: Tx): Promise<void> {
    await tx.query(`SELECT set_config('watchpost.purge_audit', 'on', true)`);
  },

  purgeOlder(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      'DELETE FROM audit_entry WHERE id IN (SELECT id FROM audit_entry WHERE at < $1 ORDER BY at LIMIT $2)',
      [before, limit],
    );
  },

  /** Entries of workspaces deleted before a moment; the entry of the deletion itself comes last. */
  purgeOfDeleted(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM audit_entry WHERE id IN (
         SELECT entry.id FROM audit_entry entry WHERE entry.workspace_id = (
           SELECT deletion.workspace_id FROM audit_entry deletion
           WHERE deletion.action = 'workspace.deleted' AND deletion.at < $1 ORDER BY deletion.at LIMIT 1)
         ORDER BY entry.action = 'workspace.deleted', entry.at LIMIT $2)`,
      [before, limit],
    );
  },

  /** Former names that no entry needs, because a later name was in use at the time of the oldest entry. */
  purgeFormerNames(tx: Tx, before: Date, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM user_name WHERE (user_id, since) IN (
         SELECT former.user_id, former.since FROM user_name former
         WHERE former.since < $1 AND EXISTS (SELECT 1 FROM user_name later
           WHERE later.user_id = former.user_id AND later.since > former.since AND later.since < $1)
         LIMIT $2)`,
      [before, limit],
    );
  },
};

function dateOf(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms);
}
