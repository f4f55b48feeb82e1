import type { CheckSpec } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

/** The checks of one monitor by region; no regions if it is paused, disabled or deleted. */
export interface MonitorChecks {
  monitorKey: number;
  revision: number;
  regions: readonly { region: Region; checks: readonly CheckSpec[] }[];
}

/** A monitor that may run checks in a region. */
export interface RegionMonitor {
  monitorKey: number;
  /** Makes its checks, which takes longer than the reading. */
  makeChecks(): readonly CheckSpec[];
}

/** The source of all assignments: the monitors. */
export interface MonitorCheckSource {
  /**
   * Reads the monitors of these ownership shards that run checks in a region; others may be among them.
   * `horizon` is the revision from which changes are read afterwards; it belongs to the same database snapshot.
   */
  inShards(tx: Tx, region: Region, shards: readonly number[]): Promise<{ monitors: RegionMonitor[]; horizon: number }>;
  /** The keys of all monitors in these shards, those that are paused or deleted included. */
  keysInShards(tx: Tx, shards: readonly number[]): Promise<number[]>;
  /**
   * Reads at most `limit` monitors with a revision of at least `since`, or all of the last transaction. If there are `limit`
   * or more, there may be others from `horizon` on; it is not above `since` where a long transaction holds it back. `purged` is
   * the newest revision of a monitor that was deleted so long ago that it is in no answer any more; 0: there is none.
   */
  changed(
    tx: Tx,
    since: number,
    limit: number,
  ): Promise<{ monitors: MonitorChecks[]; horizon: number; purged: number }>;
}
