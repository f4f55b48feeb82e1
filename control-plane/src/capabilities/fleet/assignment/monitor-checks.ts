import type { CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

/** What has to be checked of one monitor; no regions where it is paused, disabled or deleted. */
export interface MonitorChecks {
  monitorKey: number;
  revision: number;
  regions: readonly { region: Region; checks: readonly CheckSpec[] }[];
}

/** Where assignments come from: the monitors. */
export interface MonitorCheckSource {
  /**
   * Monitors in the order of their keys, after `afterKey`.
   * `horizon` is the revision to ask changes from; it was read in the same snapshot as the monitors.
   * `nextAfterKey` is null on the last page.
   */
  all(
    tx: Tx,
    page: { afterKey: number; limit: number },
  ): Promise<{ monitors: MonitorChecks[]; horizon: number; nextAfterKey: number | null }>;
  /** Monitors with a revision of at least `since`, at most `limit`; exactly `limit` of them can mean that there are more. */
  changed(tx: Tx, since: number, limit: number): Promise<{ monitors: MonitorChecks[]; horizon: number }>;
}
