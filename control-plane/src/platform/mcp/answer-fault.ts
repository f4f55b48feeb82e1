import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Fault, FaultCode } from '@watchpost/shared/fault';
import { RPC, RpcError } from './rpc-error.js';

/** How a fault in a tool call is reported: as the tool's own result, which an assistant reads, or as an error of the call. */
type Reported = 'result' | keyof typeof RPC;

/** The one table, exhaustive by its type. */
const REPORTED: Readonly<Record<FaultCode, Reported>> = {
  invalid_json: 'parseError',
  validation_failed: 'invalidParams',
  missing_token: 'unauthenticated',
  invalid_token: 'unauthenticated',
  insufficient_scope: 'forbidden',
  insufficient_workspace_role: 'forbidden',
  no_workspace_context: 'forbidden',
  plan_limit_exceeded: 'forbidden',
  feature_not_in_plan: 'forbidden',
  member_suspended: 'forbidden',
  not_invited: 'forbidden',
  not_found: 'result',
  method_not_allowed: 'refused',
  not_acceptable: 'refused',
  payload_too_large: 'refused',
  unsupported_media_type: 'refused',
  incident_closed: 'result',
  monitor_type_conflict: 'result',
  slug_taken: 'result',
  location_in_use: 'result',
  already_member: 'result',
  invitation_not_pending: 'result',
  last_owner: 'result',
  group_not_empty: 'result',
  idempotency_conflict: 'result',
  trial_already_used: 'result',
  personal_workspace: 'result',
  not_active: 'result',
  too_many_deletions: 'result',
  swap_conflict: 'result',
  would_be_unreachable: 'result',
  invitation_expired: 'result',
  precondition_failed: 'result',
  rate_limited: 'result',
  internal_error: 'internalError',
  unavailable: 'result',
};

/** The fault as an error of the call: its code by the table, what is for people in `message`, for programs in `data`. */
export function rpcErrorOf(fault: Fault, requestId: string): RpcError {
  const reported = REPORTED[fault.code];
  return new RpcError(reported === 'result' ? RPC.refused : RPC[reported], fault.message, {
    error: fault.code,
    ...(fault.details.length > 0 ? { details: fault.details } : {}),
    ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
    requestId,
  });
}

/**
 * The result of a tool call that met a fault.
 * @throws RpcError where it is reported as an error
 */
export function resultOfFault(fault: Fault, requestId: string): CallToolResult {
  if (REPORTED[fault.code] !== 'result') throw rpcErrorOf(fault, requestId);
  const { code, message, details, retryAfterSeconds } = fault;
  const content = {
    error: code,
    message,
    ...(details.length > 0 ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(content) }] };
}
