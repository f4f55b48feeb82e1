interface Turns {
  columns: string;
  /** The text after FROM, with its conditions. */
  from: string;
  /** The column that has the owner of a row. */
  owner?: string;
  /** The rows of one owner in the order in which they are wanted. */
  order: string;
  /** The most rows of one owner, as SQL. */
  most: string | number;
}

/**
 * A table of rows that wait, each with its `turn` among those of its owner. Ordered by `turn`, the owners take turns, so that
 * nobody waits behind the many of another.
 */
export function inTurns({ columns, from, owner = 'owner_id', order, most }: Turns): string {
  return `(
    SELECT * FROM (
      SELECT ${columns}, row_number() OVER (PARTITION BY ${owner} ORDER BY ${order}) AS turn FROM ${from}
    ) AS ranked WHERE turn <= ${most}
  )`;
}
