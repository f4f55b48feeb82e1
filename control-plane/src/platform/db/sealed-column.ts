/** A column with values that a secret box sealed. It is described beside the code that seals it. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Columns of the row from which the context is derived. */
  reads: readonly string[];
  /** The context that a value of this row is sealed for. */
  context(row: Readonly<Record<string, string>>): string;
}
