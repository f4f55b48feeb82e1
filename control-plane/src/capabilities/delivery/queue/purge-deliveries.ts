import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Transactions } from '../../../platform/db/database.js';
import type { RecurringJob } from '../../../platform/jobs/job-runner.js';
import { acknowledgeLinkStore } from '../links/acknowledge-link-store.js';
import { alertEventStore } from './alert-event-store.js';
import { channelMessageStore } from './channel-message-store.js';
import { mailOutboxStore } from './mail-outbox-store.js';
import { deliveryLaneStore } from './delivery-lane-store.js';

export const DELIVERY_DAYS = 30;
const BATCH = 1_000;

/** Deletes events, deliveries, mails that are done and messages of incidents, all more than 30 days old, and the links in pages when they expire. */
export function deliveryJobs({ db, clock }: { db: Transactions; clock: Clock }): RecurringJob[] {
  const purge = async () => {
    const before = new Date(clock.now() - DELIVERY_DAYS * DAY_MS);
    while ((await db.transaction((tx) => alertEventStore.purge(tx, before, BATCH))) === BATCH);
    while ((await db.transaction((tx) => channelMessageStore.purge(tx, before, BATCH))) === BATCH);
    while ((await db.transaction((tx) => mailOutboxStore.purge(tx, before, BATCH))) === BATCH);
    while ((await db.transaction((tx) => deliveryLaneStore.purgeIdle(tx, BATCH))) === BATCH);
  };
  const purgeLinks = () => db.transaction((tx) => acknowledgeLinkStore.purge(tx, new Date(clock.now())));
  return [
    { name: 'purge_deliveries', cron: '13 4 * * *', run: purge },
    { name: 'purge_page_links', cron: '33 * * * *', run: purgeLinks },
  ];
}
