import { pino } from 'pino';
import { EXIT_CONFIG, type Agent } from './agent.js';
import { composeAgent } from './compose.js';
import { ConfigError, readConfig, type AgentConfig } from './config.js';
import { DataDirInUse, DataDirUnusable } from './spool/data-dir-lock.js';

const config = configOrExit();
const logger = pino({ level: config.logLevel, base: { name: 'agent' }, timestamp: pino.stdTimeFunctions.isoTime });

function configOrExit(): AgentConfig {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

// a program in an unknown state must not go on judging others: end, and be started anew
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'unexpected error');
  process.exit(1);
});
process.on('unhandledRejection', (error) => {
  logger.fatal({ err: error }, 'unexpected rejection');
  process.exit(1);
});

let agent: Agent;
try {
  agent = await composeAgent(config, logger);
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
  if (error instanceof DataDirInUse || error instanceof DataDirUnusable) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'the agent cannot start');
  process.exit(1);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void agent.stop(signal));
// started by a control plane as its home agent: it ends with it
process.on('disconnect', () => void agent.stop('the process that started it is gone'));
agent.start();
process.exit(await agent.ended);
