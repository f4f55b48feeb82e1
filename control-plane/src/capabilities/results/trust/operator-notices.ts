import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import { operatorNoticeStore, type OperatorNotice } from './operator-notice-store.js';
import { secondOpinionStore } from './second-opinion-store.js';

/** The notices to operators, newest first. */
export function listOperatorNotices({ db }: { db: Database }, limit: number): Promise<OperatorNotice[]> {
  return db.read((tx) => operatorNoticeStore.list(tx, limit));
}

const KEPT_DAYS = 400;

/** Deletes notices after 400 days, and second opinions when their results expire. */
export async function purgeTrustRecords(deps: { db: Database; clock: Clock; retentionDays: number }): Promise<void> {
  const before = (days: number) => new Date(deps.clock.now() - days * 86_400_000);
  await deps.db.transaction((tx) => operatorNoticeStore.purge(tx, before(KEPT_DAYS)));
  while ((await deps.db.transaction((tx) => secondOpinionStore.purge(tx, before(deps.retentionDays)))) > 0);
}
