import type { Tx } from '../../platform/db/database.js';

export interface MonitorChange {
  /**
   * `stopped`: paused or disabled, `resumed`: enabled again; `restored`: back from `deleted`, enabled or not;
   * `updated` is any other change.
   */
  kind: 'created' | 'updated' | 'stopped' | 'resumed' | 'deleted' | 'restored';
  monitorKey: number;
  monitorId: string;
  workspaceId: string;
  /** What was found out before says nothing about what is checked from now on. */
  checksChanged: boolean;
}

/** Told of every change within the transaction that makes it: where it throws, nothing was changed. */
export type MonitorListener = (tx: Tx, change: MonitorChange) => Promise<void>;
