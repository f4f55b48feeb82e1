/**
 * Why a request cannot be served, as a closed set of codes. HTTP, MCP and gRPC each have an exhaustive table from code to
 * status.
 */
export const FAULT_CODES = [
  'invalid_json',
  'validation_failed',
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'insufficient_workspace_role',
  'no_workspace_context',
  'plan_limit_exceeded',
  'feature_not_in_plan',
  'member_suspended',
  'not_invited',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'payload_too_large',
  'unsupported_media_type',
  'incident_closed',
  'monitor_type_conflict',
  'slug_taken',
  'location_in_use',
  'already_member',
  'invitation_not_pending',
  'last_owner',
  'group_not_empty',
  'idempotency_conflict',
  'trial_already_used',
  'personal_workspace',
  'not_active',
  'invitation_expired',
  'precondition_failed',
  'too_many_deletions',
  'swap_conflict',
  'would_be_unreachable',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** An invalid field. `path` is its dotted path in the request body: `http.headers.0`, `checkInterval`. */
export interface FaultDetail {
  path: string;
  message: string;
  /** Further data, such as `limit`, `value` and `plan` of an exceeded plan limit. */
  [extra: string]: unknown;
}

export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(
    readonly code: FaultCode,
    /** One sentence with the next step, shown to the caller. */
    message: string,
    readonly details: FaultDetail[] = [],
    /** Seconds, for `rate_limited` and `unavailable`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The fault for something that does not exist, or not in this workspace. */
export function notFound(what: string): Fault {
  return new Fault('not_found', `There is no ${what} by that id in this workspace.`);
}

/** What a lookup has found. @throws Fault `not_found` where that is nothing */
export function found<Thing>(thing: Thing | null | undefined, what: string): Thing {
  if (thing === null || thing === undefined) throw notFound(what);
  return thing;
}

/** The fault for a body with invalid fields. */
export function invalidFields(details: FaultDetail[]): Fault {
  return new Fault('validation_failed', 'Correct the fields named in `details`.', details);
}

/** The fault for one invalid field. */
export function invalidField(path: string, message: string): Fault {
  return invalidFields([{ path, message }]);
}

/** The fault for one too many of something that has the same limit in every plan. @param limit its name */
export function beyondMost(limit: string, value: number, message: string, path = ''): Fault {
  return new Fault('plan_limit_exceeded', message, [{ path, message, limit, value, plan: null }]);
}
