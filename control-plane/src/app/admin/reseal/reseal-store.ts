import type { Tx } from '../../../platform/db/database.js';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';

export interface SealedValue {
  /** Where the row lies now: it moves with each change. */
  place: string;
  sealed: Buffer;
  row: Record<string, string>;
}

/** Sealed values of any table. Names of tables and columns come from the code, never from input. */
export const resealStore = {
  /** @param prefix what values begin with that the current key has sealed */
  async countOthers(tx: Tx, { table, column }: SealedColumn, prefix: Buffer): Promise<number> {
    return tx.value(
      `SELECT count(*) FROM ${table} WHERE ${column} IS NOT NULL AND substring(${column} FOR ${prefix.length}) <> $1`,
      [prefix],
    );
  },

  /** Values that another key has sealed, in the order in which their rows lie, from behind a place. */
  async others(
    tx: Tx,
    { table, column, reads }: SealedColumn,
    prefix: Buffer,
    after: string,
    limit: number,
  ): Promise<SealedValue[]> {
    const row = reads.map((name) => `'${name}', ${name}::text`).join(', ');
    return tx.query<SealedValue>(
      `SELECT ctid::text AS place, ${column} AS sealed, jsonb_build_object(${row}) AS row FROM ${table}
       WHERE ctid > $2::tid AND ${column} IS NOT NULL AND substring(${column} FOR ${prefix.length}) <> $1
       ORDER BY ctid LIMIT $3`,
      [prefix, after, limit],
    );
  },

  /** @returns false where the row has changed meanwhile */
  async replace(tx: Tx, { table, column }: SealedColumn, value: SealedValue, resealed: Buffer): Promise<boolean> {
    const changed = await tx.execute(`UPDATE ${table} SET ${column} = $3 WHERE ctid = $1::tid AND ${column} = $2`, [
      value.place,
      value.sealed,
      resealed,
    ]);
    return changed > 0;
  },
};
