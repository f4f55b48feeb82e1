import { databaseErrorOf } from '../../db/database-error.js';

/** SQLSTATE classes and codes after which the caller may try again: connection, shutdown, overload, timeout, conflict. */
const LOST_STATES = /^(?:08...|57P0[1-5]|25006|57014|53[0-3]..|40001|40P01|55P03|25P03|25P04)$/;
const LOST_ERRNOS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** The messages of pg, which have no code, when a connection is gone or none was to be had in time. */
const LOST_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|No database connection became free|Client was closed and is not queryable|Query read timeout|No server of DATABASE_URL|The database server)/;

/** Whether an error, or what caused it, is the database out of reach rather than a fault in our code. */
export function isDatabaseLost(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (LOST_STATES.test(code) || LOST_ERRNOS.has(code))) return true;
  if (LOST_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isDatabaseLost(inner, depth + 1))) return true;
  return isDatabaseLost(databaseErrorOf(error), depth + 1) || isDatabaseLost(error.cause, depth + 1);
}
