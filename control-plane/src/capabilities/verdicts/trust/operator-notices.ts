import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Database } from '../../../platform/db/database.js';
import { operatorNoticeStore, type OperatorNotice } from './operator-notice-store.js';
import { regionHealthStore } from './region-health-store.js';
import { secondOpinionStore } from './second-opinion-store.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/** The notices to operators, newest first. */
export function listOperatorNotices({ db }: { db: Database }, limit: number): Promise<OperatorNotice[]> {
  return db.read((tx) => operatorNoticeStore.list(tx, limit));
}

const KEPT_DAYS = 400;

/** Deletes notices after 400 days, and second opinions when their results expire. */
export async function purgeTrustRecords(deps: { db: Database; clock: Clock; retentionDays: number }): Promise<void> {
  const before = (days: number) => new Date(deps.clock.now() - days * DAY_MS);
  await deps.db.transaction((tx) => operatorNoticeStore.purge(tx, before(KEPT_DAYS)));
  while ((await deps.db.transaction((tx) => secondOpinionStore.purge(tx, before(deps.retentionDays)))) > 0);
}

/** Agents send a heartbeat every five seconds, which is in the database three seconds later. */
export const HEARTBEAT_MS = 20_000;

/** The faults of regions that have checks, as messages to operators; empty if there are none. */
export async function regionTroubles({ db, clock }: { db: Database; clock: Clock }): Promise<string[]> {
  const { unattended, suspects } = await db.read(async (tx) => ({
    unattended: await regionHealthStore.unattended(tx, new Date(clock.now() - HEARTBEAT_MS)),
    suspects: await suspectPeriodStore.open(tx),
  }));
  return [
    ...unattended.map((region) => `No agent of ${region} is connected, and the region has checks to run.`),
    ...suspects.map(({ region }) => `Failures in ${region} do not count: its agents seem to have lost their network.`),
  ];
}
