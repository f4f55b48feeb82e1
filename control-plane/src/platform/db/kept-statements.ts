import { createHash } from 'node:crypto';
import { QueryFailedError, type EntityManager } from 'typeorm';
import type pg from 'pg';
import type { Tx } from './database.js';

/** Far more than are written: what is put together anew each time is sent as it is, and never fills a server. */
const MOST_STATEMENTS = 300;
/**
 * A migration changed what the statement answers (`cached plan must not change result type`); or behind a pooler, the
 * server at the other end is another one than before, and has lost the statement, or has it already.
 */
const OUTDATED = new Set(['0A000', '26000', '42P05']);

const names = new Map<string, string>();
/** Connections on which a statement was outdated: whatever they send later is parsed each time again. */
const forgetful = new WeakSet<pg.PoolClient>();

/**
 * The same transaction or connection, on which the server keeps each statement parsed, and after some uses planned. Only
 * for statements that are sent over and over, and whose plan does not depend on what they are given: one that is kept
 * reckons with ten values of every array. See docs/decisions/0021-cost-of-a-result.md.
 */
export function keptStatements(tx: Tx): Tx {
  /** @returns undefined where the statement is not kept: it is sent as any other then */
  const run = async (sql: string, params: readonly unknown[] = []): Promise<pg.QueryResult | undefined> => {
    const client = await connectionOf(tx.manager);
    const name = forgetful.has(client) ? undefined : nameOf(sql);
    if (name === undefined) return undefined;
    const values = [...params];
    try {
      return await client.query({ name, text: sql, values });
    } catch (error) {
      if (OUTDATED.has((error as { code?: string }).code ?? '')) forgetful.add(client);
      throw new QueryFailedError(sql, values, error as Error);
    }
  };
  return {
    manager: tx.manager,
    query: async <Row extends object>(sql: string, params?: readonly unknown[]) =>
      ((await run(sql, params))?.rows as Row[] | undefined) ?? tx.query<Row>(sql, params),
    execute: async (sql, params) => (await run(sql, params))?.rowCount ?? tx.execute(sql, params),
  };
}

async function connectionOf({ queryRunner }: EntityManager): Promise<pg.PoolClient> {
  if (!queryRunner) throw new Error('statements are kept on a connection, and there is none');
  return (await queryRunner.connect()) as pg.PoolClient;
}

/**
 * One name is one text in every process and version: behind a pooler a connection may lead to a server on which another
 * process has kept its own statements, and by a number one would run where another was meant, unnoticed.
 */
function nameOf(sql: string): string | undefined {
  let name = names.get(sql);
  if (name === undefined && names.size < MOST_STATEMENTS)
    names.set(sql, (name = `kept_${createHash('sha256').update(sql).digest('base64url')}`));
  return name;
}
