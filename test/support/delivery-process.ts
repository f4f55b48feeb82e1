import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { readConfig } from '@watchpost/control-plane/config/config';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';

// A separate worker process that a test can kill. It pages and sends everything that is due at the given time; secrets of
// groups need the key of the test, as hexadecimal digits.
const config = readConfig();
const logger = pino({ level: 'silent' });
const clock = new ManualClock(Number(process.argv[2]));
const db = await Database.open({
  url: config.databaseUrl!,
  poolSize: 4,
  entities: [],
  migrations: [],
  logger,
});
const key = process.argv[3];
const secretBox = createSecretBox(key === undefined ? randomBytes(32) : Buffer.from(key, 'hex'));
const plane = composeControlPlane({ config, db, clock, logger, registry: new Registry(), secretBox });
for (const { name, run } of plane.periodicTasks) if (name === 'page_due') await run();
await plane.delivery.runDue();
