import type { Json } from '../../support/product.js';

const DEADLINE_MS = 120_000;

export interface RpcAnswer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface RpcOptions {
  token?: string | null;
  headers?: Record<string, string>;
}

/** A bare JSON-RPC client: what somebody writes in an afternoon, without any SDK. */
export class RpcClient {
  sessionId: string | undefined;
  #nextId = 1;

  constructor(
    readonly baseUrl: string,
    private readonly options: RpcOptions = {},
  ) {}

  /** Sends a body unchanged (text) or as JSON. */
  async post(body: unknown, headers: Record<string, string> = {}): Promise<RpcAnswer> {
    return this.request('POST', typeof body === 'string' ? body : JSON.stringify(body), headers);
  }

  async request(method: string, body?: string, headers: Record<string, string> = {}): Promise<RpcAnswer> {
    const { token } = this.options;
    const response = await fetch(`${this.baseUrl}/mcp`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        accept: 'application/json, text/event-stream',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId }),
        ...this.options.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
  }

  call(method: string, params?: unknown): Promise<RpcAnswer> {
    return this.post({ jsonrpc: '2.0', id: this.#nextId++, method, ...(params === undefined ? {} : { params }) });
  }

  async initialize(version: string, clientInfo = { name: 'bare', version: '1.0' }): Promise<RpcAnswer> {
    const answer = await this.call('initialize', { protocolVersion: version, capabilities: {}, clientInfo });
    this.sessionId = answer.headers.get('mcp-session-id') ?? undefined;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** The result of a tool, or the error. */
  async tool(name: string, args?: unknown): Promise<Json> {
    const { body } = await this.call('tools/call', { name, ...(args === undefined ? {} : { arguments: args }) });
    return body;
  }
}
