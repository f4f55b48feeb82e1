import {
  connect,
  constants,
  sensitiveHeaders,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Deadline, Step } from './deadline.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';

/** More than any answer of the health protocol, with headers, trailers and the frames around them. */
const MOST_BYTES = 64 * 1024;
const FIRST_BYTES = 2 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
const PREFACE_BYTES = 24;
const GOAWAY = 7;
/** The codes of RFC 9113 §7, by their number. */
const CODES = [
  ...['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED'],
  ...['FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM'],
  ...['INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'],
];

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

/** Counts what a server sends, whatever it is: HTTP/2 has frames without end that reach no listener. */
class BoundedSocket extends Duplex {
  first = Buffer.alloc(0);
  #bytes = 0;

  constructor(
    private readonly socket: Socket,
    private readonly onEnough: () => void,
    private readonly onGivenUp: () => void,
  ) {
    super();
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.first.length < FIRST_BYTES) this.first = Buffer.concat([this.first, chunk.subarray(0, FIRST_BYTES)]);
      if (this.#bytes > MOST_BYTES) this.onEnough();
      else if (!this.push(chunk)) socket.pause();
    });
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
    if (hasGoaway(chunk)) this.onGivenUp();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}

/**
 * Finds out whether these frames of the client end the connection, as after a violation of the protocol. Node reports that
 * only when the server closes it.
 */
function hasGoaway(frames: Buffer): boolean {
  let at = frames.subarray(0, 3).toString('latin1') === 'PRI' ? PREFACE_BYTES : 0;
  while (at + 17 <= frames.length) {
    if (frames[at + 3] === GOAWAY && frames.readUInt32BE(at + 5) === 0) return true;
    at += 9 + frames.readUIntBE(at, 3);
  }
  return false;
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
  readonly #socket: BoundedSocket;
  #session: ClientHttp2Session | undefined;
  #firstByteAt = 0;
  #settled = false;

  constructor(
    socket: Socket,
    private readonly address: string,
    private readonly deadline: Deadline,
    private readonly resolve: (answer: GrpcAnswer) => void,
  ) {
    this.#socket = new BoundedSocket(
      socket,
      () => this.#settle(new ProbeFault('grpc_too_large', { address, limit: MOST_BYTES / 1_024 })),
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
    this.#settle(fault);
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
    this.#settle(isAnswered ? null : new ProbeFault('grpc_ended', { address, code: CODES[code ?? 0] ?? String(code) }));
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
    return new ProbeFault('grpc_not_http2', { address: this.address, why });
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
