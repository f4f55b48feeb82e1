import { ZodError } from 'zod';
import { Fault, FAULT_STATUS, type FaultCode, invalidFields } from '@watchpost/shared/fault';
import { bearerChallenge } from './bearer-challenge.js';
import { describeIssues } from '../reading/describe-issues.js';
import type { PreparedAnswer } from './prepared-answer.js';
import { databaseErrorOf } from '../../db/database-error.js';

const DEFAULT_RETRY_AFTER_SECONDS: Partial<Record<FaultCode, number>> = { rate_limited: 60, unavailable: 5 };

/** What the caller may know of an error: a fault unchanged, anything unexpected without its internals. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof ZodError) {
    return invalidFields(describeIssues(error.issues));
  }
  if (isDatabaseLost(error))
    return new Fault('unavailable', 'The database cannot be reached right now; try again shortly.');
  return new Fault('internal_error', 'Something went wrong on our side; the request id helps us to find out what.');
}

export interface ErrorContext {
  requestId: string;
  baseUrl: string;
  /** The scopes that the route takes, for the challenge of `insufficient_scope`. */
  scopes: readonly string[];
}

export function answerFault(fault: Fault, context: ErrorContext): PreparedAnswer {
  const status = FAULT_STATUS[fault.code];
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
  const challenge = bearerChallenge(fault, context);
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
  const retryAfter = fault.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS[fault.code];
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  const body = {
    error: fault.code,
    message: fault.message,
    ...(fault.details.length > 0 ? { details: fault.details } : {}),
    requestId: context.requestId,
  };
  return { status, headers, type: 'application/json', body: JSON.stringify(body) };
}

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

/** @returns true if an error, or what caused it, is the database out of reach rather than a fault in our code */
function isDatabaseLost(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (LOST_STATES.test(code) || LOST_ERRNOS.has(code))) return true;
  if (LOST_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some((inner) => isDatabaseLost(inner, depth + 1))) return true;
  return isDatabaseLost(databaseErrorOf(error), depth + 1) || isDatabaseLost(error.cause, depth + 1);
}
