import { LogOutput } from '@watchpost/shared/log-output';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { leaveOutRepeated } from './repeated-lines.js';

/** Names under which secrets travel: never logged, whatever object they are in. */
const SECRET_PATHS = [
  'token',
  'password',
  'secret',
  'authorization',
  'cookie',
  'headers',
  'client_secret',
  'access_token',
].flatMap((name) => [name, `*.${name}`]);

/**
 * What a failed statement was given, and rows that the database quotes: sessions, tokens and people are among them. `client`
 * is the whole state of a lost connection.
 */
const VALUES = new Set(['parameters', 'driverError', 'detail', 'where', 'client']);

/** What waits to be printed at most, bytes: what is more is dropped. */
const MAX_BACKLOG_BYTES = 8_388_608;

/** The program's structured log: one JSON object a line, by default on standard output. */
export function createLogger(level: string, name: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '***' },
    serializers: { err: (error: unknown) => withoutValues(stdSerializers.err(error as Error)) },
    hooks: { logMethod: leaveOutRepeated() },
  };
  return pino(options, destination ?? new LogOutput(MAX_BACKLOG_BYTES));
}

function withoutValues(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(withoutValues);
  if (typeof error !== 'object' || error === null) return error;
  return Object.fromEntries(
    Object.entries(error)
      .filter(([key]) => !VALUES.has(key))
      .map(([key, value]: [string, unknown]) => [key, key === 'aggregateErrors' ? withoutValues(value) : value]),
  );
}
