import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Database, Tx } from '../../platform/db/database.js';
import { auditPurgeStore } from './audit-store.js';

export const AUDIT_RETENTION_DAYS = 400;
/** Operators can read the log of a deleted workspace for this time. */
export const DELETED_WORKSPACE_DAYS = 30;
const BATCH = 1_000;

/** Deletes entries older than 400 days, and those of workspaces deleted 30 days ago. */
export async function purgeAudit({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const nowMs = clock.now();
  const expired = new Date(nowMs - AUDIT_RETENTION_DAYS * DAY_MS);
  const deleted = new Date(nowMs - DELETED_WORKSPACE_DAYS * DAY_MS);
  await inBatches(db, (tx) => auditPurgeStore.purgeOlder(tx, expired, BATCH));
  await inBatches(db, (tx) => auditPurgeStore.purgeOfDeleted(tx, deleted, BATCH));
  await inBatches(db, (tx) => auditPurgeStore.purgeFormerNames(tx, expired, BATCH));
}

/** Repeats until a batch is empty, each batch in its own transaction. */
async function inBatches(db: Database, purge: (tx: Tx) => Promise<number>): Promise<void> {
  const purgeOnce = (tx: Tx) => auditPurgeStore.allow(tx).then(() => purge(tx));
  while ((await db.transaction(purgeOnce)) > 0);
}
