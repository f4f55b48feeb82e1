import { SECOND_MS } from '@watchpost/shared/time';
import { connectionOf, keptStatements } from './kept-statements.js';
import { sendTogether } from './send-together.js';
import type { Tx } from './tx.js';

/** A statement after which the planner avoids these ways, such as `seqscan`, until the transaction ends. */
export function avoiding(...ways: readonly string[]): string {
  return `SELECT ${ways.map((way) => `set_config('enable_${way}', 'off', true)`).join(', ')}`;
}

const BY_INDEX = avoiding('seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin');
/** How often it is looked whether tables have grown. */
const LOOK_MS = 5 * SECOND_MS;

/** The sizes of all tables, as powers of four: up to 256 kB, of which no plan reads much, up to 1 MB, 4 MB, … */
const SIZES = `SELECT string_agg(oid || ' ' || floor(ln(greatest(1, pg_relation_size(oid) / 65536.0)::float8) / ln(4)), ',' ORDER BY oid) AS sizes
  FROM pg_class WHERE relkind = 'r' AND NOT relispartition AND relnamespace = current_schema()::regnamespace`;

/**
 * Plans of the connections of a pool that read tables by their indexes. A kept plan is made anew after a table became four
 * times as large: of two indexes, that of a table of one row may be the wrong one. See
 * docs/decisions/0066-plans-in-a-storm.md.
 */
export class PlansByIndex {
  private lookedAt = -Infinity;
  private sizes: string | undefined;
  /** Grows with the tables. */
  private generation = 0;
  /** The generation of the plans of each connection. */
  private readonly planned = new WeakMap<object, number>();

  constructor(private readonly lookMs = LOOK_MS) {}

  /** Lets the planner choose indexes and nested loops only, until the transaction ends, and plan for the sizes of tables. */
  async use(tx: Tx): Promise<void> {
    const client = await connectionOf(tx.manager);
    const planned = this.planned.get(client) ?? this.generation;
    this.planned.set(client, this.generation);
    const isDue = performance.now() - this.lookedAt >= this.lookMs;
    if (isDue) this.lookedAt = performance.now();
    await sendTogether(
      planned < this.generation ? client.query('DISCARD PLANS') : Promise.resolve(),
      keptStatements(tx).query(BY_INDEX),
      // Those who come next have the new plans.
      isDue ? this.look(tx) : Promise.resolve(),
    );
  }

  private async look(tx: Tx): Promise<void> {
    const [row] = await keptStatements(tx).query<{ sizes: string }>(SIZES);
    if (this.sizes !== undefined && this.sizes !== row!.sizes) this.generation++;
    this.sizes = row!.sizes;
  }
}
