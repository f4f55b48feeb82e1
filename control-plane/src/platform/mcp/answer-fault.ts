import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Fault, FAULT_STATUS, type FaultCode, type FaultStatus } from '@watchpost/shared/fault';
import { visible } from './monitored-data.js';
import { RPC, RpcError } from './rpc-error.js';

/** How a fault in a tool call is reported: as the tool's own result, which an assistant reads, or as an error of the call. */
type Reported = 'result' | keyof typeof RPC;

/** Faults of any other status are results. */
const REPORTED: Partial<Record<FaultStatus, Reported>> = {
  400: 'invalidParams',
  401: 'unauthenticated',
  403: 'forbidden',
  405: 'refused',
  406: 'refused',
  413: 'refused',
  415: 'refused',
  500: 'internalError',
};

function reportedOf(code: FaultCode): Reported {
  return code === 'invalid_json' ? 'parseError' : (REPORTED[FAULT_STATUS[code]] ?? 'result');
}

/** The fault as an error of the call: its code by the table, what is for people in `message`, for programs in `data`. */
export function rpcErrorOf(fault: Fault, requestId: string): RpcError {
  const reported = reportedOf(fault.code);
  const { message, details } = visible({ message: fault.message, details: fault.details }) as Fault;
  return new RpcError(reported === 'result' ? RPC.refused : RPC[reported], message, {
    error: fault.code,
    ...(details.length > 0 ? { details } : {}),
    ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
    requestId,
  });
}

/**
 * The result of a tool call that met a fault.
 * @throws RpcError where it is reported as an error
 */
export function resultOfFault(fault: Fault, requestId: string): CallToolResult {
  if (reportedOf(fault.code) !== 'result') throw rpcErrorOf(fault, requestId);
  const { code, message, details, retryAfterSeconds } = fault;
  const content = visible({
    error: code,
    message,
    ...(details.length > 0 ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(content) }] };
}
