import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../db/database.js';

/** What teams and schedules take. */
export interface OnCallDeps {
  db: Database;
  clock: Clock;
}
