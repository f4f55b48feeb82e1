import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import { operatorNoticeStore, type OperatorNotice } from './operator-notice-store.js';
import { secondOpinionStore } from './second-opinion-store.js';

/** What operators were told, newest first. */
export function listOperatorNotices({ db }: { db: Database }, limit: number): Promise<OperatorNotice[]> {
  return db.read((tx) => operatorNoticeStore.list(tx, limit));
}

const KEPT_DAYS = 400;

/** Lets go of notices after a year and of second opinions with the results that they are about. */
export async function purgeTrustRecords(deps: { db: Database; clock: Clock; retentionDays: number }): Promise<void> {
  const before = (days: number) => new Date(deps.clock.now() - days * 86_400_000);
  await deps.db.transaction((tx) => operatorNoticeStore.purge(tx, before(KEPT_DAYS)));
  while ((await deps.db.transaction((tx) => secondOpinionStore.purge(tx, before(deps.retentionDays)))) > 0);
}
