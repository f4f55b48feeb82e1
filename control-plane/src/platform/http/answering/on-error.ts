import { ZodError } from 'zod';
import { Fault, type FaultCode, invalidFields } from '@watchpost/shared/fault';
import { bearerChallenge } from './bearer-challenge.js';
import { describeIssues } from '../reading/describe-issues.js';
import { isDatabaseLost } from './is-database-lost.js';
import type { PreparedAnswer } from './prepared-answer.js';

/** Which status each fault has: the one table, exhaustive by its type. */
export const FAULT_STATUS: Readonly<Record<FaultCode, number>> = {
  invalid_json: 400,
  validation_failed: 400,
  missing_token: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  insufficient_workspace_role: 403,
  no_workspace_context: 403,
  plan_limit_exceeded: 403,
  feature_not_in_plan: 403,
  member_suspended: 403,
  not_invited: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  incident_closed: 409,
  monitor_type_conflict: 409,
  slug_taken: 409,
  location_in_use: 409,
  already_member: 409,
  invitation_not_pending: 409,
  last_owner: 409,
  group_not_empty: 409,
  idempotency_conflict: 409,
  trial_already_used: 409,
  personal_workspace: 409,
  not_active: 409,
  too_many_deletions: 409,
  swap_conflict: 409,
  would_be_unreachable: 409,
  invitation_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

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

/** The answer that a fault becomes. */
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
