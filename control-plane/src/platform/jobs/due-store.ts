import { keptStatements } from '../db/kept-statements.js';
import type { Tx } from '../db/database.js';

/**
 * The condition that a row of a table is due. It asks for the earliest one, which each plan reads from an index on the column:
 * a kept plan of whether one exists assumes that a third of all rows are due, and reads the table.
 * @param column a time
 * @param where what else holds for the row
 * @param until the row is due until then
 */
export const isAnyDue = (table: string, column: string, where = 'true', until = '$1'): string =>
  `(SELECT ${column} FROM ${table} WHERE ${column} <= ${until} AND ${where} ORDER BY ${column} LIMIT 1) IS NOT NULL`;

export const dueStore = {
  /** Evaluates conditions in one statement; `$1` in them is the present time. */
  async ask(tx: Tx, conditions: readonly string[], now: Date): Promise<boolean[]> {
    // The time comes first, so that it has a type in each condition.
    const row = await keptStatements(tx).one<{ due: boolean[] }>(
      `SELECT $1::timestamptz AS now, ARRAY[${conditions.join(', ')}] AS due`,
      [now],
    );
    return row!.due;
  },
};
