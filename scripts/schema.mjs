import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './bootstrap/root.mjs';

const run = promisify(execFile);

export const SCHEMA_DOCUMENT = 'docs/schema.sql';
export const SCHEMA_LISTS = 'control-plane/src/app/schema.ts';
const MIGRATIONS = 'control-plane/src/platform/db/migrations';

const DOCUMENT_HEADER = `-- The database schema, from the catalog of a migrated database. Written by "npm run generate"; do not edit.
-- The migrations in control-plane/src/platform/db/migrations explain the tables and columns.

`;

/** What each list contains. */
const TYPES = { entities: 'new () => object', migrations: 'new () => Migration' };

/** Writes which entities and migrations there are. Lists and no search of folders, because the product is also built as one file. */
export async function writeSchemaLists() {
  const files = (await readdir(join(ROOT, 'control-plane/src'), { recursive: true })).toSorted();
  const lists = {
    entities: files.filter((path) => path.endsWith('.entity.ts')),
    migrations: files.filter((path) => /^platform\/db\/migrations\/\d{4}-[^/]*\.ts$/.test(path)),
  };
  const nameOf = (path) =>
    basename(path, '.ts')
      .replace(/^(\d{4})-(.*)$/, '$2$1')
      .replaceAll(/[^a-z0-9]+(.)/g, (_, first) => first.toUpperCase());
  const imports = Object.values(lists)
    .flat()
    .map((path) => `import * as ${nameOf(path)} from '../${path.replace(/\.ts$/, '.js')}';`);
  const constants = Object.entries(lists).map(
    ([list, paths]) =>
      `export const ${list} = [${paths.map(nameOf).join(', ')}].flatMap((module) => Object.values<${TYPES[list]}>(module));`,
  );
  const text = `// Every entity and every migration, in order. Written by "npm run generate"; do not edit.\nimport type { Migration } from '../platform/db/migration.js';\n${imports.join('\n')}\n\n${constants.join('\n\n')}\n`;
  await writeFile(join(ROOT, SCHEMA_LISTS), text);
  await format(SCHEMA_LISTS);
}

/** Writes the schema of a new, migrated database. @returns the statements that would make it what the entities state */
export async function writeSchemaDocument() {
  const load = (path) => import(join(ROOT, 'control-plane/dist', path));
  const { startEmbeddedPostgres } = await load('embedded/postgres/index.js');
  const { Database } = await load('platform/db/database.js');
  const { describeSchema } = await load('platform/db/describe-schema.js');
  const { migrate } = await load('platform/db/migrate.js');
  const { readDifference } = await load('platform/db/read-difference.js');
  const { createLogger } = await load('platform/telemetry/logger.js');
  const { entities, migrations } = await load('app/schema.js');
  // The server stops with connections of the pool: that they are lost is no news.
  const logger = createLogger('error', 'generate');
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-schema-'));
  const server = await startEmbeddedPostgres({ dataDir, logger, settings: { fsync: 'off' } });
  try {
    const database = await Database.open({ url: server.url, poolSize: 2, entities, migrations, logger });
    try {
      await migrate(database, logger);
      await writeFile(join(ROOT, SCHEMA_DOCUMENT), DOCUMENT_HEADER + (await describeSchema(database)));
      return await readDifference(database);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @param name such as `monitor-tags` @param statements of the migration @returns the path of its file */
export async function writeMigration(name, statements) {
  const last = (await readdir(join(ROOT, MIGRATIONS))).findLast((file) => /^\d{4}-.*\.ts$/.test(file));
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
  const title = `-${name}`.replaceAll(/-+(.)/g, (_, first) => first.toUpperCase());
  const className = `${title}${1_763_900_000_000 + Number(number)}`;
  const quoted = statements.map(
    (statement) => `    await runner.query(\`${statement.replaceAll(/[\\`$]/g, '\\$&')}\`);`,
  );
  const path = `${MIGRATIONS}/${number}-${name}.ts`;
  await writeFile(
    join(ROOT, path),
    `import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

export class ${className} implements Migration {
  readonly name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
${quoted.join('\n')}
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
`,
  );
  await format(path);
  return path;
}

async function format(path) {
  await run(join(ROOT, 'node_modules/.bin/oxfmt'), [path], { cwd: ROOT });
}
