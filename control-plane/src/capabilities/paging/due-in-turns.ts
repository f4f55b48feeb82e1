import { inTurns } from '../../platform/db/in-turns.js';

/** The most rows of one owner that are looked for at once. */
const MOST_IN_TURN = 100;

/**
 * A table that has, under its own name, the rows that are due at `$1`: the longest due of each owner in turn, at most `$2`,
 * so that nobody's page waits behind the many of another. Only what is due is read, by the index on its time.
 * @param condition of a row, beside its time
 */
export function dueInTurns(
  table: 'incident_paging' | 'page_reminder',
  due: 'due_at' | 'ack_expires_at',
  condition = 'true',
): string {
  const order = `${due}, incident_id`;
  const from = `${table} JOIN workspace ON workspace.id = ${table}.workspace_id WHERE ${due} <= $1 AND ${condition}`;
  const ranked = inTurns({ columns: `${table}.*`, from, order, most: MOST_IN_TURN });
  return `(SELECT * FROM ${ranked} AS due ORDER BY turn, ${order} LIMIT $2) AS ${table}`;
}
