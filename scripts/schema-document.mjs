import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bootstrap/root.mjs';

export const SCHEMA_DOCUMENT = 'docs/schema.sql';

const HEADER = `-- The database schema, from the catalog of a migrated database. Written by "npm run generate"; do not edit.
-- The migrations in control-plane/src/platform/db/migrations explain the tables and columns.

`;

/**
 * Migrates a new embedded database and writes its schema. `test/integration/db` checks that the file is current.
 * @returns the differences between the tables and the entities
 */
export async function writeSchemaDocument() {
  const load = (path) => import(join(ROOT, 'control-plane/dist', path));
  const { startEmbeddedPostgres } = await load('embedded/postgres/index.js');
  const { Database } = await load('platform/db/database.js');
  const { describeDrift } = await load('platform/db/describe-drift.js');
  const { describeSchema } = await load('platform/db/describe-schema.js');
  const { migrate } = await load('platform/db/migrate.js');
  const { migrations } = await load('platform/db/migrations/index.js');
  const { entities } = await load('app/entities.js');
  const { createLogger } = await load('platform/telemetry/logger.js');
  // The server stops with connections of the pool: that they are lost is no news.
  const logger = createLogger('error', 'generate');
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-schema-'));
  const server = await startEmbeddedPostgres({ dataDir, logger, settings: { fsync: 'off' } });
  try {
    const database = await Database.open({ url: server.url, poolSize: 2, entities, migrations, logger });
    try {
      await migrate(database, logger);
      await writeFile(join(ROOT, SCHEMA_DOCUMENT), HEADER + (await describeSchema(database)));
      return await describeDrift(database);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
