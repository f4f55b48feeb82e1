/** A row of a table of Uptime Kuma, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** What a file of Uptime Kuma contains. */
export interface Installation {
  /** The rows of the tables of configuration. */
  tables: ReadonlyMap<string, readonly Row[]>;
  /** How many rows each other table has: history, and tables that are not known here. */
  counts: ReadonlyMap<string, number>;
}

/** The file cannot be imported; the message gives the reason and the next step. */
export class UnreadableFile extends Error {}

export function rowsOf({ tables }: Installation, table: string): readonly Row[] {
  return tables.get(table) ?? [];
}

/** The text of a column, trimmed; null where there is none. */
export function textOf(row: Row, column: string): string | null {
  return rawTextOf(row, column)?.trim() || null;
}

/** The text of a column as it is, such as a password, of which a blank is a part; null where there is none. */
export function rawTextOf(row: Row, column: string): string | null {
  const value = row[column];
  return (typeof value === 'string' && value !== '') || Number.isFinite(value) ? String(value) : null;
}

export function numberOf(row: Row, column: string): number | null {
  return numberFrom(row[column]);
}

/** The number of a value, also of a text; null where it has none. */
export function numberFrom(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export function flagOf(row: Row, column: string): boolean {
  const value = row[column];
  return value === true || value === 1 || value === '1' || value === 'true';
}

export function idOf(row: Row): number {
  return numberOf(row, 'id') ?? 0;
}

/** The JSON in a column; undefined where it is none. */
export function jsonOf(row: Row, column: string): unknown {
  const value = row[column];
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The JSON object in a column; undefined where it is none. */
export function objectOf(row: Row, column: string): Row | undefined {
  const value = jsonOf(row, column);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
}
