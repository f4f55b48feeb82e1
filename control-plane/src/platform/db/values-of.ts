/** The values of some fields of rows, an array for each field: the parameters of an `unnest` that has these columns. */
export function valuesOf<Row, Field extends keyof Row>(
  rows: readonly Row[],
  ...fields: readonly Field[]
): Row[Field][][] {
  return fields.map((field) => rows.map((row) => row[field]));
}
