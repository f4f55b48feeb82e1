import { status } from '@grpc/grpc-js';
import type { FaultCode } from '@watchpost/shared/fault';
import type { StreamEndReason } from '../agents/agent-connection.js';

/**
 * The gRPC status of each fault. Agents exit on UNAUTHENTICATED, PERMISSION_DENIED and FAILED_PRECONDITION, so that no
 * temporary fault may have one of these.
 */
export const STATUS_OF_FAULT: Readonly<Record<FaultCode, status>> = {
  invalid_json: status.INVALID_ARGUMENT,
  validation_failed: status.INVALID_ARGUMENT,
  missing_token: status.UNAUTHENTICATED,
  invalid_token: status.UNAUTHENTICATED,
  insufficient_scope: status.PERMISSION_DENIED,
  insufficient_workspace_role: status.PERMISSION_DENIED,
  no_workspace_context: status.PERMISSION_DENIED,
  plan_limit_exceeded: status.RESOURCE_EXHAUSTED,
  feature_not_in_plan: status.PERMISSION_DENIED,
  member_suspended: status.PERMISSION_DENIED,
  not_invited: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  not_acceptable: status.INVALID_ARGUMENT,
  payload_too_large: status.RESOURCE_EXHAUSTED,
  unsupported_media_type: status.INVALID_ARGUMENT,
  incident_closed: status.ABORTED,
  monitor_type_conflict: status.ABORTED,
  slug_taken: status.ALREADY_EXISTS,
  location_in_use: status.ALREADY_EXISTS,
  already_member: status.ALREADY_EXISTS,
  invitation_not_pending: status.ABORTED,
  last_owner: status.ABORTED,
  group_not_empty: status.ABORTED,
  idempotency_conflict: status.ABORTED,
  trial_already_used: status.ABORTED,
  personal_workspace: status.ABORTED,
  not_active: status.ABORTED,
  too_many_deletions: status.ABORTED,
  swap_conflict: status.ABORTED,
  would_be_unreachable: status.ABORTED,
  invitation_expired: status.ABORTED,
  precondition_failed: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  internal_error: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
};

/** The gRPC status with which the control plane ends a stream. */
export const STATUS_OF_STREAM_END: Readonly<Record<StreamEndReason, status>> = {
  unknownAgent: status.UNAUTHENTICATED,
  noCertificate: status.UNAUTHENTICATED,
  certificateExpired: status.UNAUTHENTICATED,
  revoked: status.PERMISSION_DENIED,
  unsupported: status.FAILED_PRECONDITION,
  malformed: status.INVALID_ARGUMENT,
  replaced: status.ABORTED,
  slow: status.RESOURCE_EXHAUSTED,
  stopping: status.UNAVAILABLE,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
};
