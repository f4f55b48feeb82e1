import { pino, type Logger } from 'pino';
import { describeProgram } from '@watchpost/shared/describe-program';
import { LogOutput } from '@watchpost/shared/log-output';
import { EXIT_CONFIG, type Agent } from './agent.js';
import { composeAgent } from './compose.js';
import { ConfigError, readConfig } from './config.js';
import { DataDirInUse, DataDirUnusable } from './spool/data-dir-lock.js';

const PROGRAM = {
  name: 'watchpost-agent',
  purpose: 'runs checks in one region and reports their results to a control plane',
  guide: 'run-agents.md',
};
/** The largest log backlog; more is dropped. */
const MAX_LOG_BACKLOG_BYTES = 1_048_576;

/** The steps of a stop take 21 s at most. This bounds what has no deadline of its own, such as a disk that does not answer. */
const STOP_DEADLINE_MS = 23_000;

/** A function, because the main module of the single executable has no top-level await. */
async function main(): Promise<number> {
  const description = describeProgram(process.argv.slice(1), PROGRAM);
  if (description !== undefined) {
    process.stdout.write(`${description}\n`);
    return 0;
  }
  let logger: Logger | undefined;
  let agent: Agent;
  try {
    const config = readConfig();
    const options = { level: config.logLevel, base: { name: 'agent' }, timestamp: pino.stdTimeFunctions.isoTime };
    logger = pino(options, new LogOutput(MAX_LOG_BACKLOG_BYTES));
    exitOnUnexpectedErrors(logger);
    agent = await composeAgent(config, logger);
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`);
      return EXIT_CONFIG;
    }
    if (!logger) throw error;
    if (error instanceof DataDirInUse || error instanceof DataDirUnusable) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'the agent cannot start');
    return 1;
  }
  const stop = (reason: string) => {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    void agent.stop(reason);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  // A home agent ends with the control plane that started it.
  process.on('disconnect', () => stop('the parent process is gone'));
  agent.start();
  return await agent.ended;
}

/** An agent in an unknown state must not report results: it ends and is restarted. */
function exitOnUnexpectedErrors(logger: Logger): void {
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error');
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unexpected rejection');
    process.exit(1);
  });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
