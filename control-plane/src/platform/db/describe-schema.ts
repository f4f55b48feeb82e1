import type { Database } from './database.js';
import { readTables, type CatalogTable } from './read-catalog.js';

const VIEWS_AND_FUNCTIONS = `
  SELECT 1 AS kind, relname AS name, format(E'CREATE VIEW %I AS\\n%s', relname, pg_get_viewdef(oid, true)) AS statement
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v'
  UNION ALL
  SELECT 2, proname, rtrim(pg_get_functiondef(oid), E'\\n') || ';'
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  ORDER BY kind, name`;

/**
 * The schema as SQL, read from the catalog of a migrated database: tables by name, each with its indexes and triggers,
 * then views, then functions.
 */
export function describeSchema(database: Database): Promise<string> {
  return database.read(async (tx) => {
    const tables = (await readTables(tx)).map(statementsOf);
    const others = await tx.query<{ statement: string }>(VIEWS_AND_FUNCTIONS);
    return `${[...tables, ...others.map(({ statement }) => statement)].join('\n\n')}\n`;
  });
}

function statementsOf({ name, options, columns, constraints, indexes, triggers }: CatalogTable): string {
  const lines = [
    ...columns.map((column) => `  ${column.name} ${column.definition}`),
    ...constraints.map((constraint) => `  CONSTRAINT ${constraint.name} ${constraint.definition}`),
  ];
  const others = [...indexes, ...triggers].map(({ definition }) => `${definition};`);
  return [`CREATE TABLE ${name} (\n${lines.join(',\n')}\n)${options};`, ...others].join('\n');
}
