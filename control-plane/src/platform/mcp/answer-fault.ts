import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Fault, FaultCode } from '@watchpost/shared/fault';
import { RPC, RpcError } from './rpc-error.js';

/** How a fault that a tool call meets is told: as the tool's own result, which an assistant reads, or as an error of the call. */
type Told = 'result' | keyof typeof RPC;

/** The one table, exhaustive by its type. */
const TOLD: Readonly<Record<FaultCode, Told>> = {
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
  already_member: 'result',
  invitation_not_pending: 'result',
  last_owner: 'result',
  group_not_empty: 'result',
  idempotency_conflict: 'result',
  trial_already_used: 'result',
  personal_workspace: 'result',
  invitation_expired: 'result',
  precondition_failed: 'result',
  rate_limited: 'result',
  internal_error: 'internalError',
  unavailable: 'result',
};

/** The fault as an error of the call: its code by the table, what is for people in `message`, for programs in `data`. */
export function rpcErrorOf(fault: Fault, requestId: string): RpcError {
  const told = TOLD[fault.code];
  return new RpcError(told === 'result' ? RPC.refused : RPC[told], fault.message, {
    error: fault.code,
    ...(fault.details.length > 0 ? { details: fault.details } : {}),
    ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
    requestId,
  });
}

/**
 * The result of a tool call that met a fault.
 * @throws RpcError where it is told as an error
 */
export function resultOfFault(fault: Fault, requestId: string): CallToolResult {
  if (TOLD[fault.code] !== 'result') throw rpcErrorOf(fault, requestId);
  const { code, message, details, retryAfterSeconds } = fault;
  const told = {
    error: code,
    message,
    ...(details.length > 0 ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(told) }] };
}
