/**
 * Why a request cannot be served, as a closed set of codes with the status of each over HTTP. How a fault is reported over MCP
 * and gRPC follows from it.
 */
export const FAULT_STATUS = {
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
  payload_too_large: 413,
  unsupported_media_type: 415,
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
  invitation_expired: 410,
  precondition_failed: 412,
  too_many_deletions: 409,
  swap_conflict: 409,
  would_be_unreachable: 409,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type FaultCode = keyof typeof FAULT_STATUS;
export type FaultStatus = (typeof FAULT_STATUS)[FaultCode];
export const FAULT_CODES = Object.keys(FAULT_STATUS) as FaultCode[];

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

export function invalidFields(details: FaultDetail[]): Fault {
  return new Fault('validation_failed', 'Correct the fields named in `details`.', details);
}

export function invalidField(path: string, message: string): Fault {
  return invalidFields([{ path, message }]);
}

/** The fault for one too many of something that has the same limit in every plan. @param limit its name */
export function beyondMost(limit: string, value: number, message: string, path = ''): Fault {
  return new Fault('plan_limit_exceeded', message, [{ path, message, limit, value, plan: null }]);
}
