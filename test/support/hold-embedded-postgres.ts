import pino from 'pino';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';

/** A process of its own that holds an embedded server: prints one line of JSON when ready, stops it on SIGTERM. */
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('the data folder is missing');
const server = await startEmbeddedPostgres({ dataDir, logger: pino({ level: 'silent' }) });
const alive = setInterval(() => {}, 60_000);
// Before the line is printed, because its reader may send the signal at once.
process.once('SIGTERM', () => {
  clearInterval(alive);
  void server.stop().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ url: server.url, adopted: server.adopted })}\n`);
