import {
  connect,
  constants,
  sensitiveHeaders,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Deadline, Step } from './deadline.js';
import { codeName } from './http2-frames.js';
import { Http2Wire } from './http2-wire.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';

/** More than any answer of the health protocol, with headers, trailers and the frames around them. */
const MOST_BYTES = 64 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;

/** The answer of a server, as far as it got. */
export interface GrpcAnswer {
  fault: ProbeFault | null;
  /** Headers and trailers, each name before its value. */
  headers: string[];
  status: IncomingHttpHeaders;
  body: Buffer;
  /** The first bytes of the connection. */
  first: Buffer;
  firstByteUs: number;
  transferUs: number;
}

/** Makes one unary call on a connection and closes it. */
export function callGrpc(
  socket: Socket,
  address: string,
  headers: OutgoingHttpHeaders,
  message: Buffer,
  deadline: Deadline,
): Promise<GrpcAnswer> {
  return new Promise((resolve) => {
    new GrpcCall(socket, address, deadline, resolve).start(headers, message);
  });
}

class GrpcCall implements Step {
  readonly timeoutKey = 'answer_timeout';
  readonly #startedAt = performance.now();
  readonly #answer: GrpcAnswer = {
    fault: null,
    headers: [],
    status: {},
    body: Buffer.alloc(0),
    first: Buffer.alloc(0),
    firstByteUs: 0,
    transferUs: 0,
  };
  readonly #socket: Http2Wire;
  #session: ClientHttp2Session | undefined;
  #firstByteAt = 0;
  #settled = false;

  constructor(
    socket: Socket,
    private readonly address: string,
    private readonly deadline: Deadline,
    private readonly resolve: (answer: GrpcAnswer) => void,
  ) {
    this.#socket = new Http2Wire(
      socket,
      ({ receivedBytes }) => {
        if (receivedBytes > MOST_BYTES)
          this.#settle(new ProbeFault('grpc_too_large', { address, limit: MOST_BYTES / 1_024 }));
      },
      () => this.#settle(this.#hasStatus ? null : this.#notHttp2()),
    );
    // It stays: an error after the end of the check must not end the process.
    this.#socket.on('error', (error) => this.#failed(error));
  }

  start(headers: OutgoingHttpHeaders, message: Buffer): void {
    this.deadline.enter(this);
    if (this.#settled) return;
    try {
      this.#request(headers, message);
    } catch {
      this.#settle(new ProbeFault('invalid_target', { why: 'its metadata cannot be sent over HTTP/2' }));
    }
  }

  timeoutValues(): FaultValues {
    return { address: this.address };
  }

  cancel(fault: ProbeFault): void {
    if (fault.key !== this.timeoutKey || this.#firstByteAt === 0) return this.#settle(fault);
    this.#settle(new ProbeFault('body_timeout', { ...fault.values, bytes: this.#answer.body.length }));
  }

  #request(headers: OutgoingHttpHeaders, message: Buffer): void {
    const session = connect(`http://${this.address}`, {
      createConnection: () => this.#socket,
      settings: { enablePush: false, maxHeaderListSize: MOST_HEADER_BYTES },
      maxSessionMemory: 1,
    });
    this.#session = session;
    session.on('error', (error: NodeJS.ErrnoException) => this.#failed(error));
    session.on('goaway', (code: number) => code !== constants.NGHTTP2_NO_ERROR && this.#ended(code));
    session.on('close', () => this.#ended(constants.NGHTTP2_NO_ERROR));
    const stream = session.request({ ...headers, [sensitiveHeaders]: Object.keys(headers) });
    stream.on('response', (received, _flags, raw?: string[]) => this.#head(received, raw));
    stream.on('trailers', (received: IncomingHttpHeaders, _flags, raw?: string[]) => this.#head(received, raw));
    stream.on('data', (chunk: Buffer) => (this.#answer.body = Buffer.concat([this.#answer.body, chunk])));
    stream.on('error', (error: NodeJS.ErrnoException) => this.#failed(error, stream.rstCode));
    stream.on('close', () => this.#ended(stream.rstCode));
    stream.end(message);
  }

  #head(received: IncomingHttpHeaders, raw: string[] = []): void {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    const { headers, status } = this.#answer;
    headers.push(...raw);
    Object.assign(status, received);
  }

  /** An answer with its status is complete, however the stream ends. */
  #ended(code: number | undefined): void {
    const { address } = this;
    const isAnswered = this.#firstByteAt > 0 && (code === constants.NGHTTP2_NO_ERROR || this.#hasStatus);
    this.#settle(isAnswered ? null : new ProbeFault('grpc_ended', { address, code: codeName(code ?? 0) }));
  }

  #failed(error: NodeJS.ErrnoException, rstCode?: number): void {
    const { address } = this;
    const { code = '' } = error;
    if (this.#hasStatus) return this.#settle(null);
    if (code === 'ECONNRESET' || code === 'EPIPE') return this.#settle(new ProbeFault('answer_reset', { address }));
    if (code === 'ERR_HTTP2_STREAM_ERROR' || code === 'ERR_HTTP2_SESSION_ERROR') return this.#ended(rstCode);
    this.#settle(this.#notHttp2());
  }

  #notHttp2(): ProbeFault {
    const isOlder = this.#socket.first.subarray(0, 5).toString('latin1') === 'HTTP/';
    const why = isOlder ? 'it is HTTP/1' : 'its frames do not follow the protocol';
    return new ProbeFault('answer_not_http2', { address: this.address, why });
  }

  get #hasStatus(): boolean {
    return this.#answer.status['grpc-status'] !== undefined;
  }

  #settle(fault: ProbeFault | null): void {
    if (this.#settled) return;
    this.#settled = true;
    this.deadline.leave();
    const now = performance.now();
    this.#session?.destroy();
    this.#socket.destroy();
    this.resolve({
      ...this.#answer,
      fault,
      first: this.#socket.first,
      firstByteUs: Math.round(((this.#firstByteAt || now) - this.#startedAt) * 1_000),
      transferUs: this.#firstByteAt === 0 ? 0 : Math.round((now - this.#firstByteAt) * 1_000),
    });
  }
}
