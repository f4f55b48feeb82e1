import { Fault } from '@watchpost/shared/fault';
import { pino } from 'pino';
import type { AdminConfig } from '../../config/config.js';
import { Database } from '../../platform/db/database.js';
import { readSchemaState, requireReadable } from '../../platform/db/schema-version.js';
import { readEmbeddedUrl } from '../../embedded/postgres/index.js';
import { entities, migrations } from '../schema.js';
import { readOrMakeEncryptionKeys } from '../../platform/db/encryption-key-file.js';
import { createSecretBox, parseEncryptionKeys, type SecretBox } from '../../platform/db/secret-box.js';

/**
 * Connects to the database that the service runs on: DATABASE_URL, or the embedded one that runs under DATA_DIR.
 * @throws Fault `unavailable` where there is none, or it is of a version that this program cannot work on
 */
export async function openAdminDatabase(config: AdminConfig): Promise<Database> {
  const url = config.databaseUrl ?? (await readEmbeddedUrl(config.dataDir));
  if (url === undefined) {
    throw new Fault(
      'unavailable',
      `No database runs under ${config.dataDir}: start the service first (npm start), or set DATA_DIR or DATABASE_URL as it has them.`,
    );
  }
  const database = await Database.open({
    url,
    poolSize: 2,
    entities,
    migrations,
    logger: pino({ level: 'silent' }),
  }).catch((error: Error) => {
    throw new Fault('unavailable', `The database does not answer: ${error.message}`);
  });
  try {
    requireReadable(await database.read(readSchemaState), migrations.length);
    return database;
  } catch (error) {
    await database.close();
    throw new Fault('unavailable', (error as Error).message);
  }
}

/** Under ENCRYPTION_KEY, or the key in the file under DATA_DIR, as the service does. */
export async function openSecretBox({ encryptionKey, dataDir }: AdminConfig): Promise<SecretBox> {
  return createSecretBox(
    encryptionKey === null ? await readOrMakeEncryptionKeys(dataDir) : parseEncryptionKeys(encryptionKey),
  );
}
