import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import type { ReachDeps } from '../paging/index.js';

/** Where mail of this installation goes: to a mail server, to the mailbox of a trial, or nowhere. */
export type MailRoute = 'server' | 'mailbox' | 'nowhere';

export interface OverviewDeps extends ReachDeps {
  db: Database;
  clock: Clock;
  mail: MailRoute;
}
