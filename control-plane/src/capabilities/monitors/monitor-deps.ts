import type { Database, Tx } from '../../platform/db/database.js';
import type { Clock } from '@watchpost/shared/clock';
import type { Bus } from '../../platform/coordination/bus.js';
import type { SecretBox } from '../../platform/db/secret-box.js';

export interface MonitorChange {
  /**
   * `stopped`: paused or disabled, `resumed`: enabled again; `restored`: back from `deleted`, enabled or not;
   * `updated` is any other change.
   */
  kind: 'created' | 'updated' | 'stopped' | 'resumed' | 'deleted' | 'restored';
  monitorKey: number;
  monitorId: string;
  workspaceId: string;
  /** Earlier results do not apply to the changed checks. */
  checksChanged: boolean;
}

/** Called for every change within the transaction that makes it; an error undoes the change. */
export type MonitorListener = (tx: Tx, change: MonitorChange) => Promise<void>;

/** The dependencies of reading monitors. */
export interface MonitorReadDeps {
  db: Database;
  clock: Clock;
}

/** The dependencies of changing monitors. */
export interface MonitorDeps extends MonitorReadDeps {
  bus: Bus;
  secretBox: SecretBox;
  /** Called in this order. */
  listeners: readonly MonitorListener[];
}

/** Wakes the assignment of checks after the commit. A lost call only costs time, because the assignment also polls. */
export function announceChange(deps: Pick<MonitorDeps, 'bus'>, change: MonitorChange): void {
  deps.bus.publish('monitor-changed', { monitorKey: change.monitorKey });
}
