import { createServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import pino from 'pino';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { usersAddress } from './test-server.js';

/**
 * Test databases need speed, and no safety against power loss. The database's name in each line of the log lets a test
 * find its own deadlocks there; the longest statements of ingest take 8 KiB.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '400',
  max_wal_size: '128MB',
  // On tables of a few rows a parallel plan costs more than it saves.
  max_parallel_workers_per_gather: '0',
  deadlock_timeout: '300ms',
  log_line_prefix: '%m [%p] %d ',
  track_activity_query_size: '8192',
};
const FIRST_USER_DEADLINE_MS = 20_000;

// A process that starts the PostgreSQL of the test processes of a checkout, and stops it with the last of them.
// Each of them holds a connection to this process, which reports `ready` on it.
const dataDir = resolve(process.argv[2]!);
const users = new Set<Socket>();
let state: 'starting' | 'ready' | 'stopping' = 'starting';
let hadUsers = false;

const listener = createServer({ allowHalfOpen: true }, (user) => {
  user.on('error', () => {});
  // A user that comes too late sees its connection close, and starts the next keeper.
  if (state === 'stopping') return;
  users.add(user);
  hadUsers = true;
  user.once('end', () => void leave(user));
  user.once('close', () => void leave(user));
  user.resume();
  if (state === 'ready') user.write('ready\n');
});
await new Promise<void>((listening) => {
  // Another keeper was first.
  listener.once('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EADDRINUSE' ? 0 : 1));
  listener.listen(usersAddress(dataDir), listening);
});
const server = await startEmbeddedPostgres({ dataDir, logger: pino({ level: 'warn' }), settings: SETTINGS });
state = 'ready';
for (const user of users) user.write('ready\n');
if (hadUsers) await stopUnused();
else setTimeout(() => void stopUnused(), FIRST_USER_DEADLINE_MS);

async function leave(user: Socket): Promise<void> {
  if (!users.delete(user)) return;
  if (users.size > 0) user.end();
  else await stopUnused();
}

/** Ends this process, and with it the connection of the last user, after the server has stopped. */
async function stopUnused(): Promise<void> {
  if (users.size > 0 || state !== 'ready') return;
  state = 'stopping';
  await server.stop();
  process.exit(0);
}
