import type { Clock } from '@watchpost/shared/clock';
import type { Transactions, Tx } from '../../platform/db/database.js';
import type { OutgoingMail } from '../../platform/mail/mailer.js';
import type { HolidayCalendars } from './holiday-calendars.js';

/** What teams and schedules take. */
export interface OnCallDeps {
  db: Transactions;
  clock: Clock;
}

/** The dependencies of changes by which a team is paged or not. */
export interface TeamDeps extends OnCallDeps {
  /** The paging of open incidents follows the teams. */
  paging: {
    /** After a service group was routed to a team, or is not any more. */
    routed(tx: Tx, workspaceId: string, serviceGroupId: string): Promise<void>;
    /** Before a team is deleted. */
    goes(tx: Tx, workspaceId: string, team: { id: string; name: string }): Promise<void>;
  };
}

export interface Reach {
  userId: string;
  channels: string[];
  /** Whether a number of the person is not among them, because it is not confirmed. */
  isBlocked: boolean;
}

/** What changes of schedules take, which people hear of by mail. */
export interface ScheduleDeps extends OnCallDeps {
  /** Without a slash at the end. */
  baseUrl: string;
  /** How people can be paged; those who are not active are left out. */
  reachOf(tx: Tx, workspaceId: string, userIds: readonly string[]): Promise<Reach[]>;
  /** Those of action groups of which anybody hears. */
  hearingGroups(tx: Tx, workspaceId: string, groupIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Reads calendars of holidays. Without it, in the transaction of a document, nobody waits for a stranger's server: the job
   * reads them within a minute.
   */
  holidayCalendars?: Pick<HolidayCalendars, 'read'>;
  sendMail(tx: Tx, workspaceId: string, mail: OutgoingMail): Promise<unknown>;
}
