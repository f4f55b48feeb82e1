import pg from 'pg';

/**
 * How many statements `work` sent to the database from this process, over all connections.
 * Only one such count at a time.
 */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const prototype = pg.Client.prototype as { query(...args: unknown[]): unknown };
  const original = prototype.query;
  let count = 0;
  prototype.query = function counted(this: unknown, ...args: unknown[]) {
    count++;
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}
