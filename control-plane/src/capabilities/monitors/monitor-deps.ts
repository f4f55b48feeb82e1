import type { Clock } from '@watchpost/shared/clock';
import type { Bus } from '../../platform/coordination/bus.js';
import type { Database } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { MonitorListener } from './monitor-change.js';

/** What reading monitors takes. */
export interface MonitorReadDeps {
  db: Database;
  clock: Clock;
}

/** What changing them takes. */
export interface MonitorDeps extends MonitorReadDeps {
  bus: Bus;
  secretBox: SecretBox;
  /** In the order in which they are told. */
  listeners: readonly MonitorListener[];
}
