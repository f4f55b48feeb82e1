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
