import type { Registry } from 'prom-client';
import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Database } from '../../../platform/db/database.js';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { packingStore } from './packing-store.js';

/** The metrics of packing. Each scrape reads the database: all values but the counter are the same on every process. */
export class PackingMetrics {
  readonly packed;

  constructor(registry: Registry, { db, clock }: { db: Database; clock: Clock }) {
    const { counter, shown } = metricsOn(registry);
    this.packed = counter('watchpost_packing_results_total', 'Check results that this process has packed');
    // While the database is unavailable the other metrics are still served.
    shown(
      'watchpost_packing_lag_seconds',
      'Age of the oldest day of check results that is not packed: normally three days and an hour at most',
      async () => {
        const oldest = await db.read((tx) => packingStore.oldestDay(tx)).catch(() => null);
        return oldest === null ? null : (clock.now() - oldest * DAY_MS) / 1_000;
      },
    );
    shown(
      'watchpost_packing_late_monitors',
      'Monitors with late results of a packed day, by day, that are not merged yet',
      () => db.read((tx) => packingStore.lateMonitors(tx)).catch(() => null),
    );
    shown('watchpost_packing_bytes', 'Bytes of packed check results on disk, with their index', () =>
      db.read((tx) => packingStore.bytes(tx)).catch(() => null),
    );
  }
}
