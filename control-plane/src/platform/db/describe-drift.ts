import { DataSource, type EntityMetadata } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { ClientBase } from 'pg';
import type { Database } from './database.js';
import { txOf } from './tx.js';
import { readTables, type CatalogPart, type CatalogTable } from './read-catalog.js';

const MODEL_SCHEMA = 'entity_model';

/**
 * Where the tables differ from the entities that describe them: columns with types, defaults and nullability, keys,
 * checks, foreign keys with their actions, indexes with their conditions. Not compared: the order of columns, the
 * direction of index columns, and what an index of an expression contains, because entities cannot express these.
 *
 * TypeORM creates the tables of the entities in a schema of their own, so that PostgreSQL itself normalizes both sides.
 * @returns one sentence per difference
 */
export async function describeDrift(database: Database): Promise<string[]> {
  const options = database.source.options as PostgresDataSourceOptions;
  const extra = options.extra as { options: string };
  const model = new DataSource({
    ...options,
    extra: { ...extra, options: `${extra.options} -c search_path=${MODEL_SCHEMA}` },
    migrations: [],
  });
  await database.transaction((tx) => tx.query(`CREATE SCHEMA ${MODEL_SCHEMA}`));
  try {
    await model.initialize();
    await model.synchronize();
    const described = await readTables(txOf((await model.createQueryRunner().connect()) as ClientBase));
    const actual = await database.read(readTables);
    return model.entityMetadatas.flatMap((entity) =>
      compareTables(entity, tableOf(entity, described)!, tableOf(entity, actual)),
    );
  } finally {
    if (model.isInitialized) await model.destroy();
    await database.transaction((tx) => tx.query(`DROP SCHEMA ${MODEL_SCHEMA} CASCADE`));
  }
}

function tableOf({ tableName }: EntityMetadata, tables: readonly CatalogTable[]): CatalogTable | undefined {
  return tables.find(({ name }) => name === tableName);
}

function compareTables(entity: EntityMetadata, described: CatalogTable, actual: CatalogTable | undefined): string[] {
  if (actual === undefined) return [`The table ${described.name} does not exist.`];
  // An index that TypeORM cannot create is only named in the entity.
  const named = entity.indices.filter(({ synchronize }) => !synchronize).map(({ name }) => name);
  const missing = named.filter((name) => !actual.indexes.some((index) => index.name === name));
  return [
    ...missing.map((name) => `${actual.name}: the index ${name} does not exist.`),
    ...(['columns', 'constraints', 'indexes'] as const).flatMap((kind) =>
      compareParts(
        described[kind],
        actual[kind].filter(({ name }) => !named.includes(name)),
      ).map((difference) => `${actual.name}: ${difference}`),
    ),
  ];
}

function compareParts(described: readonly CatalogPart[], actual: readonly CatalogPart[]): string[] {
  const [wanted, found] = [definitionsOf(described), definitionsOf(actual)];
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((name) => wanted.get(name) !== found.get(name))
    .map(
      (name) => `${name} is ${quote(found.get(name))} in the database and ${quote(wanted.get(name))} in the entity.`,
    );
}

/** TypeORM writes numbers as text, and PostgreSQL keeps the cast where the column is not an integer. */
const QUOTED_NUMBER = /'(-?\d+)'::(?:smallint|bigint)/g;

function definitionsOf(parts: readonly CatalogPart[]): Map<string, string> {
  return new Map(
    parts.map(({ name, definition }) => [name, definition.replaceAll(' DESC', '').replace(QUOTED_NUMBER, '$1')]),
  );
}

function quote(definition: string | undefined): string {
  return definition === undefined ? 'missing' : `"${definition}"`;
}
