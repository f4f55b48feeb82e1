import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Fault, FAULT_STATUS, type FaultCode, type FaultDetail, type FaultStatus } from '@watchpost/shared/fault';
import { visible } from './monitored-data.js';
import { RPC, RpcError } from './rpc-error.js';

const MOST_LINES = 10;
const IN_DETAILS = ' named in `details`.';

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

/** Clients show an assistant nothing but the message, so that it has to name what is wrong. */
export function withDetails(message: string, details: readonly FaultDetail[]): string {
  const lines = details
    .filter((detail) => !message.includes(detail.message))
    .slice(0, MOST_LINES)
    .map(({ path, message: reason }) => `${path} ${reason}`.trim());
  if (lines.length === 0) return message;
  const named = `${lines.join('; ')}.`;
  return message.includes(IN_DETAILS) ? message.replace(IN_DETAILS, () => `: ${named}`) : `${message} ${named}`;
}

/** The fault as an error of the call: its code by the table, what is for people in `message`, for programs in `data`. */
export function rpcErrorOf(fault: Fault, requestId: string): RpcError {
  const reported = reportedOf(fault.code);
  const { message, details } = visible({ message: fault.message, details: fault.details }) as Fault;
  const sentence = fault.code === 'validation_failed' ? withDetails(message, details) : message;
  return new RpcError(reported === 'result' ? RPC.refused : RPC[reported], sentence, {
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
