import type { Clock } from '@watchpost/shared/clock';
import type { Transactions } from '../../platform/db/database.js';

/** What teams and schedules take. */
export interface OnCallDeps {
  db: Transactions;
  clock: Clock;
}
