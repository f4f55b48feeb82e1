import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import { regionHealthStore } from './region-health-store.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/** Agents are heard of every five seconds; what they say is in the database three seconds later. */
const HEARD_MS = 20_000;

/** What is wrong with the regions that have checks to run, in sentences for operators; empty where nothing is. */
export async function regionTroubles({ db, clock }: { db: Database; clock: Clock }): Promise<string[]> {
  const { unattended, suspects } = await db.read(async (tx) => ({
    unattended: await regionHealthStore.unattended(tx, new Date(clock.now() - HEARD_MS)),
    suspects: await suspectPeriodStore.open(tx),
  }));
  return [
    ...unattended.map((region) => `No agent of ${region} is connected, and there are checks for it to run.`),
    ...suspects.map(
      ({ region }) => `What fails in ${region} is not believed: its agents seem to have lost their network.`,
    ),
  ];
}
