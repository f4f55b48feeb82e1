import { fileURLToPath } from 'node:url';
import { BUILD, VERSION } from '@watchpost/shared/build';
import { pause, retry } from '@watchpost/shared/retry';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { DELIVERY_CHANNEL } from '../capabilities/delivery/index.js';
import { EVENT_CHANNEL } from '../capabilities/events/index.js';
import { readBuiltConsole } from '../capabilities/sign-in/index.js';
import { composeControlPlane } from './compose.js';
import type { Platform } from './platform.js';
import { baseUrlOf, ConfigError, type Config } from '../config/config.js';
import { configWarnings } from '../config/config-warnings.js';
import { type Coordination, localCoordination, redisCoordination } from '../platform/coordination/coordination.js';
import { joinInstallation } from '../platform/coordination/join-installation.js';
import { holdProcessPlace } from '../platform/coordination/process-guard.js';
import { createServiceApp, healthOf } from './create-service-app.js';
import { Database } from '../platform/db/database.js';
import { startEmbeddedPostgres } from '../embedded/postgres/index.js';
import { readOrMakeEncryptionKeys } from '../platform/db/encryption-key-file.js';
import { findSessionFault } from '../platform/db/find-session-fault.js';
import { listen } from '../platform/db/listen.js';
import { awaitMigrations, migrate } from '../platform/db/migrate.js';
import type { SchemaError } from '../platform/db/schema-version.js';
import { createSecretBox, parseEncryptionKeys } from '../platform/db/secret-box.js';
import { entities, migrations } from './schema.js';
import { answerHealthOnly, answerWhileStarting } from '../platform/http/health-listener.js';
import { listenHttp } from '../platform/http/http-server.js';
import { createMetricsServer } from '../platform/http/metrics-server.js';
import { composeIdentity } from './compose-identity.js';
import { DatabaseClock } from '../platform/db/database-clock.js';
import { startJobRunner } from '../platform/jobs/job-runner.js';
import { startPeriodicTask } from '../platform/jobs/periodic-task.js';
import { startDueWork } from '../platform/jobs/due-work.js';
import { portTaken } from '../embedded/port-taken.js';
import { startAgentGateway } from './start-agent-gateway.js';
import { watchSchema } from './watch-schema.js';
import { measureProcess } from '../platform/telemetry/event-loop-delay.js';
import { createFirstWorkspace } from '../capabilities/recipients/index.js';
import { seedDemoPrincipals } from '../capabilities/workspaces/index.js';

const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist', import.meta.url));
const DRAIN_MS = 10_000;
/** How often it is looked whether the clock of this machine was set. */
const CLOCK_LOOK_MS = 5_000;
const DATABASE_PATIENCE = { attempts: 20, backoff: { initialMs: 200, maxMs: 3_000, factor: 2 } };

export interface Service {
  /** For the terminal: where it is, and how to sign in. */
  describe(): string[];
  /** Drains and stops everything, in the reverse order of its start. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  config: Config;
  logger: Logger;
  onFatal(error: Error): void;
  /** The database is being upgraded to a version that this process cannot work on: it has to stop. */
  onOutdated(error: SchemaError): void;
}

type Closer = () => Promise<void> | void;

/** Starts one control-plane process with the roles that its configuration names. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const closers: Closer[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) {
      await Promise.resolve(close()).catch((error: unknown) =>
        options.logger.warn({ err: error }, 'something did not stop cleanly'),
      );
    }
  };
  try {
    const describe = await start(options, (closer) => closers.push(closer));
    return { describe, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { config, logger, onFatal, onOutdated }: ServiceOptions,
  onStop: (closer: Closer) => void,
): Promise<() => string[]> {
  const registry = new Registry();
  onStop(measureProcess(registry));
  const { roles } = config;

  // The port is taken first, so that a second start fails at once, and callers get 503 during the start.
  let handler = answerWhileStarting(VERSION);
  const http = await listenHttp((request, response) => handler(request, response), {
    host: config.host,
    port: config.port,
  }).catch((error: unknown) => {
    throw portTaken(error, 'PORT', config.port);
  });
  onStop(() => http.close(DRAIN_MS));
  const baseUrl = baseUrlOf(config, http.port);

  let databaseUrl = config.databaseUrl;
  if (databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, logger });
    onStop(() => postgres.stop());
    databaseUrl = postgres.url;
  }
  const db = await openDatabase(databaseUrl, config, logger, registry);
  onStop(() => db.close());
  const fault = await findSessionFault(db);
  if (fault !== null) throw new ConfigError([fault]);
  const clock = new DatabaseClock(db, logger);
  const place = config.redisUrl === null ? 'alone' : 'shared';
  const schemaVersion = migrations.length;
  const guard = await holdProcessPlace({ hosts: db.hosts, place, schemaVersion, logger, registry, onUsurped: onFatal });
  onStop(() => guard.release());
  if (config.runMigrations) await migrate(db, logger);
  else await awaitMigrations(db, logger);
  const schema = watchSchema({ db, logger, registry, onOutdated });
  onStop(() => schema.stop());
  await clock.follow();
  const following = startPeriodicTask(
    { name: 'follow_database_clock', everyMs: CLOCK_LOOK_MS, run: () => clock.follow() },
    { logger, registry },
  );
  onStop(() => following.stop());

  const keys =
    config.encryptionKey === null
      ? await readOrMakeEncryptionKeys(config.dataDir)
      : parseEncryptionKeys(config.encryptionKey);
  const secretBox = createSecretBox(keys);
  const coordination = await coordinate({ config, db, clock, logger, registry, secretBox });
  onStop(() => coordination.close());
  const leads = () => guard.leads();
  let stopping = false;
  const isStopping = () => stopping;
  const platform = { config, db, clock, logger, registry, secretBox, baseUrl, coordination, leads, isStopping };
  const plane = composeControlPlane(platform);
  await plane.partitions.makeAhead();

  const identity = await composeIdentity({
    config,
    db,
    clock,
    logger,
    registry,
    secretBox,
    baseUrl,
    ownUrl: ownUrlOf(config.host, http.port),
  });
  onStop(() => identity.stop());
  if (identity.demo) await seedDemoPrincipals({ db, clock, onUserCreated: createFirstWorkspace }, identity.demo);

  const lines = [
    `Watchpost ${VERSION} is ready at ${baseUrl}`,
    `console: ${baseUrl}/console`,
    `API description: ${baseUrl}/swagger`,
    ...identity.describe(),
    ...(config.oidc === null && config.smtpUrl === null ? [`mail, without SMTP_URL: ${baseUrl}/mailbox`] : []),
  ];
  const servesAgents = roles.has('gateway');
  if (roles.has('api')) {
    plane.events.listenWith((onNotify) => listen({ hosts: db.hosts, channel: EVENT_CHANNEL, logger, onNotify }));
    const builtConsole = await readBuiltConsole(CONSOLE_FOLDER).catch((error: unknown) => {
      // Checks, alerts and REST go on without it.
      logger.error({ err: error }, 'the console cannot be shown');
      lines.push((error as Error).message);
      return null;
    });
    await plane.pings.remember();
    const app = createServiceApp({ platform, plane, identity, baseUrl, servesAgents, builtConsole });
    const answer = app.callback();
    handler = (request, response) => void answer(request, response);
    await plane.receptionTask.run();
    const reception = startPeriodicTask(plane.receptionTask, { logger, registry });
    onStop(() => reception.stop());
  } else {
    const health = healthOf({ platform, plane, servesAgents });
    handler = answerHealthOnly(VERSION, () => health.check());
  }
  const metrics = createMetricsServer(registry);
  await new Promise<void>((resolve, reject) => {
    metrics.once('error', (error) => reject(portTaken(error, 'METRICS_PORT', config.metricsPort)));
    metrics.listen(config.metricsPort, config.metricsHost, resolve);
  });
  onStop(() => void metrics.close());

  const gateway = roles.has('gateway') ? await startAgentGateway(platform, plane, onStop) : null;
  lines.push(...(gateway?.lines ?? []));
  if (roles.has('worker')) {
    const { delivery } = plane;
    delivery.start();
    onStop(() => delivery.stop());
    const due = delivery.dueTasks;
    const work = startDueWork({ db, clock, logger, registry, periodicTasks: plane.periodicTasks, dueTasks: due });
    onStop(() => work.stop());
    const listener = listen({ hosts: db.hosts, channel: DELIVERY_CHANNEL, logger, onNotify: () => work.wake() });
    onStop(() => listener.stop());
    const jobs = startJobRunner({
      hosts: db.hosts,
      jobs: plane.jobs,
      logger,
      registry,
      requireRightClock: () => clock.requireRightMachine(),
    });
    onStop(() => jobs.stop());
  }
  // Requests end first, while what they stand on is still there; the close that was registered first is for a failed start.
  onStop(() => http.close(DRAIN_MS));
  onStop(() => plane.mcp.streams.stop());
  onStop(() => plane.events.stop());
  onStop(async () => {
    stopping = true;
    db.hosts.stopSoon();
    gateway?.health.drain();
    await pause(config.drainDelayMs);
  });
  for (const warning of configWarnings(config)) logger.warn(warning);
  logger.info({ version: BUILD, baseUrl, roles: [...roles] }, 'ready');
  return () => lines;
}

async function coordinate({ config, db, clock, logger, registry, secretBox }: Platform): Promise<Coordination> {
  if (config.redisUrl === null) return localCoordination(clock);
  if (config.databaseUrl === null) {
    logger.info({ dataDir: config.dataDir }, 'only processes with the same DATA_DIR share the embedded database');
  }
  const installationId = await joinInstallation(db, secretBox);
  return await redisCoordination({ url: config.redisUrl, installationId, clock, logger, registry, secretBox });
}

/** A database that is starting beside us is waited for; one that is not there at all is a clear error. */
async function openDatabase(url: string, config: Config, logger: Logger, registry: Registry): Promise<Database> {
  const open = () => Database.open({ url, poolSize: config.databasePoolSize, entities, migrations, logger, registry });
  return await retry(open, {
    backoff: DATABASE_PATIENCE.backoff,
    onFailure(error, attempt) {
      if (attempt >= DATABASE_PATIENCE.attempts)
        throw new Error(`The database does not answer: ${(error as Error).message}`, { cause: error });
      logger.warn({ err: error }, 'the database does not answer yet');
    },
  });
}

/** Where a process that listens on `host` reaches itself. */
function ownUrlOf(host: string, port: number): string {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
