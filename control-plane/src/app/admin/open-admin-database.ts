import { Fault } from '@watchpost/shared/fault';
import { pino } from 'pino';
import type { AdminConfig } from '../../config/config.js';
import { Database } from '../../platform/db/database.js';
import { readEmbeddedUrl } from '../../embedded/postgres/index.js';
import { entities } from '../entities.js';

/**
 * Connects to the database that the service runs on: DATABASE_URL, or the embedded one that runs under DATA_DIR.
 * @throws Fault `unavailable` where there is none
 */
export async function openAdminDatabase(config: AdminConfig): Promise<Database> {
  const url = config.databaseUrl ?? (await readEmbeddedUrl(config.dataDir));
  if (url === undefined) {
    throw new Fault(
      'unavailable',
      `No database runs under ${config.dataDir}: start the service first (npm start), or set DATA_DIR or DATABASE_URL as it has them.`,
    );
  }
  try {
    return await Database.open({ url, poolSize: 2, entities, migrations: [], logger: pino({ level: 'silent' }) });
  } catch (error) {
    throw new Fault('unavailable', `The database does not answer: ${(error as Error).message}`);
  }
}
