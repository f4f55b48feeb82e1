import { pino, type Logger } from 'pino';

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

/** The program's structured log: one JSON object a line on standard output. */
export function createLogger(level: string, name: string): Logger {
  return pino({
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '***' },
  });
}
