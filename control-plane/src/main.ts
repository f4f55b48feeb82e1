import { describeProgram } from '@watchpost/shared/describe-program';
import { ConfigError, readConfig } from './config/config.js';
import { createLogger } from './platform/telemetry/logger.js';
import { collectGarbageRarely } from './app/collect-garbage-rarely.js';
import { startService, type Service } from './app/service.js';
import { SchemaError } from './platform/db/schema-version.js';

const PROGRAM = {
  name: 'watchpost-control-plane',
  purpose: 'serves the API, the console and the agents',
  guide: 'run-in-production.md',
};
/** A second signal this long after the first is somebody who does not want to wait. */
const IMPATIENT_MS = 3_000;
const EXIT_CONFIG = 2;
/** Another version of Watchpost has to run on this database: starting this one again changes nothing. */
const EXIT_SCHEMA = 3;

async function main(): Promise<void> {
  const description = describeProgram(process.argv.slice(1), PROGRAM);
  if (description !== undefined) return console.log(description);
  collectGarbageRarely();
  const config = readConfig();
  const logger = createLogger(config.logLevel, 'control-plane');
  const fail = (error: unknown): void => {
    logger.fatal({ err: error }, 'the control plane cannot go on');
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  };
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);

  let service: Service | null = null;
  let stoppingSince: number | null = null;
  const stop = (reason: string, exitCode: number): void => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > IMPATIENT_MS) process.exit(130);
      return;
    }
    stoppingSince = performance.now();
    logger.info({ reason }, 'stopping');
    // A signal during the start ends the process when the start is through: nothing is left half-made.
    void starting.then(() => service?.stop()).then(() => process.exit(exitCode), fail);
  };
  const onSignal = (signal: NodeJS.Signals): void => stop(signal, 0);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const onOutdated = (error: SchemaError): void => {
    if (stoppingSince !== null) return;
    console.error(error.message);
    stop(error.message, EXIT_SCHEMA);
  };

  const starting = startService({ config, logger, onFatal: fail, onOutdated }).then((started) => {
    service = started;
    if (stoppingSince === null) for (const line of started.describe()) console.log(line);
  });
  await starting;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : error instanceof SchemaError ? EXIT_SCHEMA : 1);
});
