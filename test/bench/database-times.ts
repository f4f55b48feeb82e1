import type { Database, Tx } from '@watchpost/control-plane/platform/db/database';

const WARM_UP = 3;

/** @returns for each question the planning and execution times of all its statements, as PostgreSQL reports them, in ms */
export async function databaseTimes<Name extends string>(
  db: Database,
  asked: number,
  questions: Record<Name, (db: Database) => Promise<unknown>>,
): Promise<Record<Name, number[]>> {
  let tookMs = 0;
  const explaining = (tx: Tx): Tx => ({
    ...tx,
    async query<Row extends object>(sql: string, parameters?: readonly unknown[]) {
      const plan = await tx.query<{ 'QUERY PLAN': [Record<'Planning Time' | 'Execution Time', number>] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY, FORMAT JSON) ${sql}`,
        parameters,
      );
      const [timing] = plan[0]!['QUERY PLAN'];
      tookMs += timing['Planning Time'] + timing['Execution Time'];
      return tx.query<Row>(sql, parameters);
    },
  });
  const explained = Object.create(db, {
    read: { value: <T>(work: (tx: Tx) => Promise<T>) => db.read((tx) => work(explaining(tx))) },
  }) as Database;
  const times = {} as Record<Name, number[]>;
  for (const [name, ask] of Object.entries(questions) as [Name, (db: Database) => Promise<unknown>][]) {
    times[name] = [];
    for (let turn = -WARM_UP; turn < asked; turn++) {
      tookMs = 0;
      await ask(explained);
      if (turn >= 0) times[name].push(tookMs);
    }
  }
  return times;
}
