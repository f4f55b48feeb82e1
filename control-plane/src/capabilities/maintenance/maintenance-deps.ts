import type { Clock } from '@watchpost/shared/clock';
import type { Bus } from '../../platform/coordination/bus.js';
import type { Transactions, Tx } from '../../platform/db/database.js';
import type { MonitorListener } from '../monitors/index.js';

export interface MaintenanceReadDeps {
  db: Transactions;
  clock: Clock;
}

export interface MaintenanceDeps extends MaintenanceReadDeps {
  bus: Bus;
  /**
   * Whether a start in the past is permitted, and makes no occurrence of the past. Else it corrects the uptime of the past,
   * within the limits of that.
   */
  leavesPastAlone?: boolean;
  /** Called where the checks of monitors are held or released. */
  listeners: readonly MonitorListener[];
  /** Lets the verdicts of monitors be decided again, in the transaction in which a window began or ceased to cover them. */
  onCoverageChanged(tx: Tx, workspaceId: string, monitorKeys: readonly number[]): Promise<void>;
}
