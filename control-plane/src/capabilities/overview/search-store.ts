import type { Tx } from '../../platform/db/database.js';
import type { Found } from './search-schemas.js';
import { MAX_FOUND, SEARCHED_INCIDENTS } from './search-schemas.js';

export interface SearchQuery {
  /** The whole text: what begins with it comes first. */
  text: string;
  words: readonly string[];
}

/** `strpos` instead of LIKE, so that the text has no wildcards. */
const hasWords = (text: string) =>
  `NOT EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE strpos(lower(${text}), lower(word)) = 0)`;
const startsFirst = (name: string) => `strpos(lower(${name}), lower($3)) = 1 DESC, lower(${name})`;

/** Finds things of a workspace by their names, across capabilities. Every statement reads a bounded number of rows or an index of names. */
export const searchStore = {
  async monitors(workspaceId: string, tx: Tx, { words, text }: SearchQuery): Promise<Found['monitors']> {
    return tx.query(
      `SELECT id, name, url, monitoring_status AS "monitoringStatus" FROM monitor
       WHERE workspace_id = $1 AND deleted_at IS NULL AND ${hasWords(`name || ' ' || coalesce(url, '')`)}
       ORDER BY ${startsFirst('name')}, id LIMIT ${MAX_FOUND}`,
      [workspaceId, words, text],
    );
  },

  async incidents(
    workspaceId: string,
    tx: Tx,
    { words }: SearchQuery,
  ): Promise<(Omit<Found['incidents'][number], 'started' | 'lastModified'> & { started: Date; lastModified: Date })[]> {
    return tx.query(
      `SELECT id, monitor_id AS "monitorId", monitor_name AS "monitorName", incident_type AS "incidentType", status,
         is_closed AS "isClosed", acknowledged, started, last_modified AS "lastModified", failure_reason AS "failureReason"
       FROM (SELECT * FROM incident WHERE workspace_id = $1 ORDER BY started DESC, id DESC LIMIT ${SEARCHED_INCIDENTS}) AS newest
       WHERE ${hasWords(`monitor_name || ' ' || failure_reason`)}
       ORDER BY is_closed, started DESC, id LIMIT ${MAX_FOUND}`,
      [workspaceId, words],
    );
  },

  async people(workspaceId: string, tx: Tx, { words, text }: SearchQuery): Promise<Found['people']> {
    return tx.query(
      `SELECT user_id AS "userId", name, email, role FROM reachable_member
       WHERE workspace_id = $1 AND ${hasWords(`coalesce(name, '') || ' ' || coalesce(email, '')`)}
       ORDER BY ${startsFirst(`coalesce(name, email, '')`)}, user_id LIMIT ${MAX_FOUND}`,
      [workspaceId, words, text],
    );
  },

  async statusPages(workspaceId: string, tx: Tx, { words, text }: SearchQuery): Promise<Found['statusPages']> {
    return tx.query(
      `SELECT id, name, slug, is_published AS "isPublished" FROM status_page
       WHERE workspace_id = $1 AND ${hasWords(`name || ' ' || slug`)}
       ORDER BY ${startsFirst('name')}, id LIMIT ${MAX_FOUND}`,
      [workspaceId, words, text],
    );
  },

  async actionGroups(workspaceId: string, tx: Tx, { words, text }: SearchQuery): Promise<Found['actionGroups']> {
    return tx.query(
      `SELECT id, name, type, is_enabled AS "isEnabled" FROM action_group
       WHERE workspace_id = $1 AND ${hasWords('name')}
       ORDER BY ${startsFirst('name')}, id LIMIT ${MAX_FOUND}`,
      [workspaceId, words, text],
    );
  },
};
