import { writeFileSync } from 'node:fs';
import type pg from 'pg';
import type { Product } from '../support/product.js';

interface Statement {
  query: string;
  calls: number;
  ms: number;
}

const SHOWN = 60;

/** Counts the statements of a product with its own database. The control plane is started again for it. */
export async function startCounting(product: Product, connect: () => Promise<pg.Client>): Promise<pg.Client> {
  const client = await connect();
  await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  product.controlPlane.kill('SIGTERM');
  await product.controlPlane.ended(60_000);
  await product.startControlPlane();
  const counting = await connect();
  await counting.query('CREATE EXTENSION pg_stat_statements');
  return counting;
}

/** @returns the number of statements since the last call; where a file is named, it gets those that took longest */
export async function takeStatements(client: pg.Client, file?: string): Promise<number> {
  const { rows } = await client.query<Statement>(
    `SELECT query, calls::integer, (total_plan_time + total_exec_time)::float8 AS ms FROM pg_stat_statements
     ORDER BY total_plan_time + total_exec_time DESC`,
  );
  await client.query('SELECT pg_stat_statements_reset()');
  if (file !== undefined) {
    const lines = rows
      .slice(0, SHOWN)
      .map(
        ({ query, calls, ms }) =>
          `${ms.toFixed(0).padStart(8)} ms ${String(calls).padStart(8)}  ${query.replace(/\s+/g, ' ').slice(0, 150)}`,
      );
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}
