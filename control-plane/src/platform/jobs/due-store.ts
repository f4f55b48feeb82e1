import { keptStatements } from '../db/kept-statements.js';
import type { Tx } from '../db/database.js';

export const dueStore = {
  /**
   * Evaluates conditions in one statement; `$1` in them is the present time.
   * @param asked which of them to evaluate; the others are not, and are false
   */
  async ask(tx: Tx, conditions: readonly string[], asked: readonly boolean[], now: Date): Promise<boolean[]> {
    // CASE evaluates a subquery only where its branch is taken.
    const columns = conditions.map(
      (condition, index) => `CASE WHEN ($2::boolean[])[${index + 1}] THEN ${condition} END`,
    );
    const due = await keptStatements(tx).value<(boolean | null)[]>(
      `SELECT ARRAY[${columns.join(', ')}] AS due, $1::timestamptz AS now`,
      [now, asked],
    );
    return due.map((isDue) => isDue === true);
  },
};
