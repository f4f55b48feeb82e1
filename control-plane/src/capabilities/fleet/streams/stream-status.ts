import { status } from '@grpc/grpc-js';
import { FAULT_STATUS, type FaultCode, type FaultStatus } from '@watchpost/shared/fault';
import type { StreamEndReason } from '../agents/agent-connection.js';

/** The gRPC status of faults by their status over HTTP. */
const STATUS: Readonly<Record<FaultStatus, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  405: status.UNIMPLEMENTED,
  406: status.INVALID_ARGUMENT,
  409: status.ABORTED,
  410: status.ABORTED,
  412: status.FAILED_PRECONDITION,
  413: status.RESOURCE_EXHAUSTED,
  415: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  500: status.INTERNAL,
  503: status.UNAVAILABLE,
};

/**
 * The gRPC status of a fault. Agents exit on UNAUTHENTICATED, PERMISSION_DENIED and FAILED_PRECONDITION, so that no temporary
 * fault may have one of these.
 */
export function statusOfFault(code: FaultCode): status {
  return code === 'plan_limit_exceeded' ? status.RESOURCE_EXHAUSTED : STATUS[FAULT_STATUS[code]];
}

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
