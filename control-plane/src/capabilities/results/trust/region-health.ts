import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import { regionHealthStore } from './region-health-store.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/** Agents send a heartbeat every five seconds, which is in the database three seconds later. */
const HEARTBEAT_MS = 20_000;

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
