import { groupBy } from '@watchpost/shared/group-by';
import type { Database } from './database.js';
import { keptStatements } from './kept-statements.js';
import type { AtEnd, Transactions, Tx } from './tx.js';

/** Ends a transaction without a commit, and carries the result out of it. */
class RolledBack extends Error {
  constructor(readonly result: unknown) {
    super('rolled back on purpose');
  }
}

/**
 * The transactions of several verbs as parts of one transaction, one after the other: each is a savepoint of it, and what one
 * of them throws undoes that one only, unless it is thrown on. Statements are kept, because the same ones come again and again.
 */
export class OneTransaction implements Transactions {
  readonly tx: Tx;
  private readonly atEnd: AtEnd[] = [];
  private readonly announcements: (() => void)[] = [];

  private constructor(connection: Tx) {
    this.tx = { ...keptStatements(connection), atEnd: this.atEnd };
  }

  /** @param end what becomes of the changes when `work` has succeeded */
  static async run<T>(
    db: Database,
    end: 'commit' | 'rollback',
    work: (parts: OneTransaction) => Promise<T>,
  ): Promise<T> {
    let announcements: readonly (() => void)[] = [];
    try {
      const committed = await db.transaction(async (connection) => {
        const parts = new OneTransaction(connection);
        const result = await work(parts);
        if (end === 'rollback') throw new RolledBack(result);
        for (const [last, calls] of groupBy(parts.atEnd, (call) => call.work))
          await last(parts.tx, calls.flatMap(({ items }) => items) as never[]);
        announcements = parts.announcements;
        return result;
      });
      for (const announce of announcements) announce();
      return committed;
    } catch (error) {
      if (error instanceof RolledBack) return error.result as T;
      throw error;
    }
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return work(this.tx);
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { tx, atEnd, announcements } = this;
    const [kept, announced] = [atEnd.length, announcements.length];
    await tx.query('SAVEPOINT part');
    try {
      const result = await work(tx);
      await tx.query('RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      atEnd.length = kept;
      announcements.length = announced;
      await tx.query('ROLLBACK TO SAVEPOINT part');
      await tx.query('RELEASE SAVEPOINT part');
      throw error;
    }
  }

  afterCommit(announce: () => void): void {
    this.announcements.push(announce);
  }
}

/**
 * Runs `work` at once or, within `OneTransaction`, when everything else is done: not at all where it is rolled back, and once
 * for the items of all calls with the same `work`. For what locks rows that the transactions of many owners need, and that
 * nothing else of the transaction reads.
 */
export async function beforeEnd<Item>(
  tx: Tx,
  items: readonly Item[],
  work: (tx: Tx, items: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (tx.atEnd) tx.atEnd.push({ items, work });
  else await work(tx, items);
}
