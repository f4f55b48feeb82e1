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
