/** Codes of JSON-RPC 2.0 §5.1, and of this interface. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** What the transport refuses: sessions, origins, rates, media types. */
  refused: -32000,
  unauthenticated: -32001,
  forbidden: -32003,
} as const;

/** An error that is answered as a JSON-RPC error, with its code. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

export type RequestId = string | number;

export function errorResponse(id: RequestId | null, { code, message, data }: RpcError) {
  return { jsonrpc: '2.0' as const, id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
