import type { CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

/** The checks of one monitor by region; no regions if it is paused, disabled or deleted. */
export interface MonitorChecks {
  monitorKey: number;
  revision: number;
  regions: readonly { region: Region; checks: readonly CheckSpec[] }[];
}

/** The source of all assignments: the monitors. */
export interface MonitorCheckSource {
  /**
   * Reads a batch of monitors in the order of their keys, after `afterKey`.
   * `horizon` is the revision from which changes are read afterwards; it belongs to the same database snapshot.
   * `nextAfterKey` is the cursor of the next batch, null after the last one.
   */
  all(
    tx: Tx,
    batch: { afterKey: number; limit: number },
  ): Promise<{ monitors: MonitorChecks[]; horizon: number; nextAfterKey: number | null }>;
  /** Reads at most `limit` monitors with a revision of at least `since`. If there are exactly `limit`, there may be more. */
  changed(tx: Tx, since: number, limit: number): Promise<{ monitors: MonitorChecks[]; horizon: number }>;
}
