import { QueryFailedError } from 'typeorm';
import type { DatabaseError } from 'pg';

/** SQLSTATE of a row that violates a unique constraint. */
export const UNIQUE_VIOLATION = '23505';

/**
 * The error of the driver behind a failed statement, with SQLSTATE in `code`.
 * @returns undefined for an error of any other kind
 */
export function databaseErrorOf(error: unknown): Partial<DatabaseError> | undefined {
  return error instanceof QueryFailedError ? (error as QueryFailedError<DatabaseError>).driverError : undefined;
}

/** SQLSTATEs of a lock that was not granted in time, and of a deadlock. */
const LOCK_CONFLICTS = new Set(['55P03', '40P01']);

/** Whether a statement failed only because of the locks of others. */
export function isLockConflict(error: unknown): boolean {
  return LOCK_CONFLICTS.has(databaseErrorOf(error)?.code ?? '');
}

/**
 * Classes of SQLSTATEs that do not depend on what a statement would store: connection, session, transaction, resources,
 * shutdown, system, and a schema that is not the one of this version.
 */
const OF_THE_SERVER = new Set(['08', '0A', '25', '26', '28', '3D', '3F', '40', '42', '53', '57', '58', 'XX']);

/**
 * Whether the same work could succeed without a part of it: the content of that part, or locks that others hold on its rows,
 * made it fail. While the server is away or overloaded, dividing the work would only repeat the failure.
 */
export function isOfAPart(error: unknown): boolean {
  const code = databaseErrorOf(error)?.code;
  if (code === undefined)
    return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return /^[0-9A-Z]{5}$/.test(code) && !OF_THE_SERVER.has(code.slice(0, 2));
}
