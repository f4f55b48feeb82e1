import type { ChangeAuthor } from '../audit/index.js';
import type { Transactions, Tx } from '../../platform/db/database.js';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { Clock } from '@watchpost/shared/clock';
import type { Actor } from '../../platform/identity/caller.js';
import type { Bus } from '../../platform/coordination/bus.js';
import type { SecretBox } from '../../platform/db/secret-box.js';

export interface MonitorChange {
  /**
   * `stopped`: paused or disabled, `resumed`: enabled again; `restored`: back from `deleted`, enabled or not;
   * `held`, `released`: a maintenance window pauses its checks, or no longer does; `updated` is any other change.
   */
  kind: 'created' | 'updated' | 'stopped' | 'resumed' | 'deleted' | 'restored' | 'held' | 'released';
  monitorKey: number;
  monitorId: string;
  workspaceId: string;
  /** Earlier results do not apply to the changed checks. */
  checksChanged: boolean;
  stoppedAs?: 'paused' | 'disabled';
  /** Nothing but its name changed: neither its checks nor its verdict depend on that. */
  isRename?: boolean;
  /** Tags that it did not have before; not of one that is created. */
  addedTags?: string[];
}

/**
 * Called once for all changes of a transaction, within it; an error undoes them. The changes are in the order of the keys of
 * their monitors, and those of one workspace are to be handled by a bounded number of statements.
 * @param author who caused them; default: the service
 */
export type MonitorListener = (tx: Tx, changes: readonly MonitorChange[], author?: ChangeAuthor) => Promise<void>;

export interface MonitorReadDeps {
  db: Transactions;
  clock: Clock;
}

export interface MonitorViewDeps extends MonitorReadDeps {
  secretBox: SecretBox;
  /** Where callers reach this service, without a slash at the end. */
  baseUrl: string;
}

export interface MonitorDeps extends MonitorViewDeps {
  bus: Bus;
  /** The destinations that regions may check. */
  egress: EgressPolicy;
  /** Called in this order. */
  listeners: readonly MonitorListener[];
}

/** Monitors that a bulk change adds to something of the workspace, or takes out. */
export interface MonitorMove {
  /** They are added to this. */
  id: string;
  monitorIds: readonly string[];
  isAdded: boolean;
  /** It only finds out what would change. */
  isDryRun: boolean;
}

/**
 * Adds monitors to something that names them, or takes them out. @returns those that were not so already, and whether agents get other checks
 * @throws Fault not_found, insufficient_scope, validation_failed
 */
export type MoveMonitors = (
  tx: Tx,
  actor: Actor,
  move: MonitorMove,
) => Promise<{ monitorIds: readonly string[]; hasOtherChecks: boolean }>;

export interface BulkDeps extends MonitorDeps {
  moveToActionGroup: MoveMonitors;
  moveToMaintenance: MoveMonitors;
}

/** Calls the listeners, in the transaction that changed these monitors. */
export async function notifyListeners(
  deps: Pick<MonitorDeps, 'listeners'>,
  tx: Tx,
  changes: readonly MonitorChange[],
  author?: ChangeAuthor,
): Promise<void> {
  if (changes.length === 0) return;
  const inOrder = changes.toSorted((a, b) => a.monitorKey - b.monitorKey);
  for (const listener of deps.listeners) await listener(tx, inOrder, author);
}

/** Wakes the assignment of checks after the commit. A lost call only costs time, because the assignment also polls. */
export function announceChange(
  { bus, db }: Pick<MonitorDeps, 'bus' | 'db'>,
  { monitorKey }: Pick<MonitorChange, 'monitorKey'>,
): void {
  db.afterCommit(() => bus.publish('monitor-changed', { monitorKey }));
}
