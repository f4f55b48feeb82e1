import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';

/** What teams and schedules take. */
export interface OnCallDeps {
  db: Database;
  clock: Clock;
}
