import { SECOND_MS } from '@watchpost/shared/time';
import { keptStatements } from './kept-statements.js';
import { sendTogether } from './send-together.js';
import type { Tx } from './tx.js';

/** A statement after which the planner avoids these ways, such as `seqscan`, until the transaction ends. */
export function avoiding(...ways: readonly string[]): string {
  return `SELECT ${ways.map((way) => `set_config('enable_${way}', 'off', true)`).join(', ')}`;
}

const BY_INDEX = avoiding('seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin');
/** Kept plans are made anew after this long: of two indexes, that of a table of one row may be the wrong one. */
const PLANS_MS = 5 * SECOND_MS;

/** When the plans of a connection were last discarded, by the monotonic clock, ms. */
const discardedAt = new WeakMap<object, number>();

/** Lets the planner choose indexes and nested loops only, until the transaction ends, and plan for the present sizes of tables. */
export async function planByIndex(tx: Tx, plansMs = PLANS_MS): Promise<void> {
  const { client } = tx;
  const now = performance.now();
  const lastMs = discardedAt.get(client);
  const isOld = lastMs !== undefined && now - lastMs >= plansMs;
  if (lastMs === undefined || isOld) discardedAt.set(client, now);
  await sendTogether(isOld ? client.query('DISCARD PLANS') : Promise.resolve(), keptStatements(tx).query(BY_INDEX));
}
