import { numberOf, type Row } from '../import/rows.js';

export interface Installation {
  tables: ReadonlyMap<string, readonly Row[]>;
  /** How many rows each other table has: history, and tables that are not known here. */
  counts: ReadonlyMap<string, number>;
}

export function rowsOf({ tables }: Installation, table: string): readonly Row[] {
  return tables.get(table) ?? [];
}

export function idOf(row: Row): number {
  return numberOf(row, 'id') ?? 0;
}
