import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { clusterPaths } from '@watchpost/control-plane/embedded/postgres/cluster-paths';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';

/**
 * Test databases need no safety against power loss, only speed. The database's name in each line of the log lets a test
 * find its own deadlocks there; the longest statements of ingest take 8 KiB.
 */
export const TEST_SERVER_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  deadlock_timeout: '300ms',
  log_line_prefix: '%m [%p] %d ',
  track_activity_query_size: '8192',
};

let server: Promise<string> | undefined;

/**
 * The server that the tests use: the one of TEST_DATABASE_URL (`npm test` sets it), else an embedded one of this
 * checkout under the system's temporary folder. That one is left running, for the next run by hand to find.
 */
export function testServerUrl(): Promise<string> {
  server ??= process.env['TEST_DATABASE_URL'] ? Promise.resolve(process.env['TEST_DATABASE_URL']) : startShared();
  return server;
}

async function startShared(): Promise<string> {
  const checkout = createHash('sha256')
    .update(fileURLToPath(import.meta.url))
    .digest('hex')
    .slice(0, 8);
  const uid = process.getuid?.() ?? 0;
  const dataDir = join(tmpdir(), `watchpost-test-${uid}-${checkout}`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if ((await lstat(dataDir)).uid !== uid) throw new Error(`${dataDir} belongs to somebody else`);
  const logger = pino({ level: 'warn' });
  const { url } = await startEmbeddedPostgres({ dataDir, logger, settings: TEST_SERVER_SETTINGS });
  process.env['TEST_DATABASE_LOG'] = clusterPaths(dataDir).log;
  return url;
}
