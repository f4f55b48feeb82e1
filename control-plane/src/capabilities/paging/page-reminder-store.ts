import { columnsOf } from '../../platform/db/columns.js';
import type { Tx } from '../../platform/db/database.js';
import { valuesOf } from '../../platform/db/values-of.js';
import { isAnyDue } from '../../platform/jobs/due-store.js';
import { dueInTurns } from './due-in-turns.js';
import { PageReminderEntity } from './page-reminder.entity.js';
import { mayPage } from './paging-store.js';

const MAY_REMIND = mayPage('page_reminder');
/** True if a later message is due, as a condition of a due task. */
export const IS_REMINDER_DUE = isAnyDue('page_reminder', 'due_at', MAY_REMIND);

/** Later messages of pages. */
export const pageReminderStore = {
  async insert(tx: Tx, reminders: readonly PageReminderEntity[]): Promise<void> {
    if (reminders.length > 0) await tx.manager.insert(PageReminderEntity, [...reminders]);
  },

  /** Those that are due, of each owner in turn. */
  async due(
    tx: Tx,
    now: Date,
    limit: number,
    except: readonly Pick<PageReminderEntity, 'id'>[],
  ): Promise<Pick<PageReminderEntity, 'id' | 'workspaceId' | 'incidentId'>[]> {
    return tx.query(
      `SELECT id, workspace_id AS "workspaceId", incident_id AS "incidentId"
       FROM ${dueInTurns('page_reminder', 'due_at', `${MAY_REMIND} AND page_reminder.id <> ALL ($3::uuid[])`)}
       ORDER BY turn, due_at, id`,
      [now, limit, ...valuesOf(except, 'id')],
    );
  },

  /**
   * Removes them, but for those that another worker takes. Each team that pages a person stores messages of its own, because
   * one can go on to page others while another does not: of those by one channel within some ms the first one is returned,
   * and the others are removed with it. @returns in the order of their times
   */
  async take(workspaceId: string, tx: Tx, ids: readonly string[], togetherMs: number): Promise<PageReminderEntity[]> {
    return tx.query(
      `WITH own AS (
         SELECT * FROM page_reminder WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) FOR UPDATE SKIP LOCKED
       ), removed AS (
         DELETE FROM page_reminder later USING own WHERE later.id = own.id OR (later.workspace_id = $1
           AND later.incident_id = own.incident_id AND later.user_id = own.user_id AND later.channel = own.channel
           AND later.due_at BETWEEN own.due_at AND own.due_at + $3 * interval '1 ms')
       )
       SELECT ${columnsOf(PageReminderEntity)} FROM (
         SELECT own.*, lag(due_at) OVER (PARTITION BY incident_id, user_id, channel ORDER BY due_at, id) AS before FROM own
       ) AS taken
       WHERE before IS NULL OR due_at - before > $3 * interval '1 ms' ORDER BY due_at, id`,
      [workspaceId, ids, togetherMs],
    );
  },

  /** Removes those of people of teams who are not among those whom a further step pages. */
  async stopOthers(
    workspaceId: string,
    tx: Tx,
    paged: readonly { incidentId: string; teamId: string; userIds: readonly string[] }[],
  ): Promise<void> {
    await tx.query(
      `DELETE FROM page_reminder later USING unnest($2::uuid[], $3::uuid[], $4::jsonb[]) AS step (incident_id, team_id, users)
       WHERE later.workspace_id = $1 AND later.incident_id = step.incident_id AND later.team_id = step.team_id
         AND NOT step.users ? later.user_id::text`,
      [workspaceId, ...valuesOf(paged, 'incidentId', 'teamId'), paged.map(({ userIds }) => JSON.stringify(userIds))],
    );
  },
};
