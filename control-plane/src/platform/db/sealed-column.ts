/** A column whose values a secret box has sealed. Each is described beside the code that seals it. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Columns of the row that the context is made of. */
  reads: readonly string[];
  /** The context that a value of this row is sealed for. */
  context(row: Readonly<Record<string, string>>): string;
}
