import { JSONRPCMessageSchema, type JSONRPCRequest, RequestIdSchema } from '@modelcontextprotocol/sdk/types.js';
import { errorResponse, RPC, RpcError } from './rpc-error.js';

/** One message of a request's body. Notifications and answers of the client need no reply. */
export type IncomingMessage =
  | { kind: 'request'; request: JSONRPCRequest }
  | { kind: 'unanswered' }
  | { kind: 'invalid'; answer: ReturnType<typeof errorResponse> };

/** Reads one JSON-RPC 2.0 message, as MCP narrows it: named parameters only, an id that is text or a whole number. */
export function readMessage(value: unknown): IncomingMessage {
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (!parsed.success) return { kind: 'invalid', answer: errorResponse(idOf(value), explain(value)) };
  // As it came, and not the schema's copy: the method that is called reports what is wrong inside.
  const message = value as Record<string, unknown>;
  if (typeof message['method'] !== 'string' || message['id'] === undefined) return { kind: 'unanswered' };
  return { kind: 'request', request: message as unknown as JSONRPCRequest };
}

/** @returns null for a message without one that can be answered */
export function idOf(value: unknown): string | number | null {
  const id = RequestIdSchema.safeParse((value as { id?: unknown } | null)?.id);
  return id.success ? id.data : null;
}

function explain(value: unknown): RpcError {
  const { jsonrpc, method, params } = (value ?? {}) as Record<string, unknown>;
  const isRequest = jsonrpc === '2.0' && typeof method === 'string' && idOf(value) !== null;
  if (isRequest && params !== undefined)
    return new RpcError(RPC.invalidParams, 'Send `params` as an object, or leave it out.');
  return new RpcError(
    RPC.invalidRequest,
    'This is no JSON-RPC 2.0 message: it has `jsonrpc` "2.0", a `method`, and an `id` that is text or a whole number.',
  );
}
