import { createHash } from 'node:crypto';
import type pg from 'pg';
import { databaseErrorOf } from './database-error.js';
import { readsBy, send, type Tx } from './tx.js';

/** Far more than the code contains. Texts that differ each time are sent unprepared, so that they never fill a server. */
const MOST_STATEMENTS = 300;
/**
 * A migration changed the columns of the statement (`cached plan must not change result type`); or behind a pooler, the
 * connection leads to another server, which does not have the statement, or already has it.
 */
const OUTDATED = new Set(['0A000', '26000', '42P05']);

const names = new Map<string, string>();
/** Connections on which a statement was outdated: their later statements are parsed each time. */
const forgetful = new WeakSet<pg.ClientBase>();

/**
 * The same transaction or connection, with prepared statements: the server parses each once, and after some uses keeps its
 * plan. Only for statements that are sent often and have a plan that does not depend on their parameters: a kept plan
 * assumes ten values for every array. See docs/decisions/0021.
 */
export function keptStatements(tx: Tx): Tx {
  const { client } = tx;
  /** @returns undefined where the statement is not kept: it is sent as any other then */
  const run = async (sql: string, params: readonly unknown[] = []): Promise<pg.QueryResult | undefined> => {
    const name = forgetful.has(client) ? undefined : nameOf(sql);
    if (name === undefined) return undefined;
    try {
      return await send(client, { name, text: sql, values: [...params] });
    } catch (error) {
      if (OUTDATED.has(databaseErrorOf(error)?.code ?? '')) forgetful.add(client);
      throw error;
    }
  };
  return {
    get manager() {
      return tx.manager;
    },
    client,
    ...(tx.atEnd && { atEnd: tx.atEnd }),
    ...readsBy(
      async <Row extends object>(sql: string, params?: readonly unknown[]) =>
        ((await run(sql, params))?.rows as Row[] | undefined) ?? tx.query<Row>(sql, params),
    ),
    execute: async (sql, params) => (await run(sql, params))?.rowCount ?? tx.execute(sql, params),
  };
}

/**
 * The name is derived from the text, in every process and version: behind a pooler a connection may lead to a server on
 * which another process prepared its statements, and under a number the wrong one would run unnoticed.
 */
function nameOf(sql: string): string | undefined {
  let name = names.get(sql);
  if (name === undefined && names.size < MOST_STATEMENTS)
    names.set(sql, (name = `kept_${createHash('sha256').update(sql).digest('base64url')}`));
  return name;
}
