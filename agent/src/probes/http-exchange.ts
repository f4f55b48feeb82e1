import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HopEvidence } from '@watchpost/shared/outcome';
import type { AnswerHead } from './answer-head.js';
import type { BodyUse } from './body-memory.js';
import type { Deadline, Step } from './deadline.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import type { HttpRequest } from './request-head.js';
import { tlsFault, type TlsPeer } from './tls-fault.js';

/** How much of a body is read, decided from its head. */
export interface BodyPlan {
  /** Bytes to keep from the start. */
  keep: number;
  /** For the kept bytes, if they can be many. */
  memory?: BodyUse;
  /** Reading ends after this many bytes; 0: the body is not awaited. */
  read: number;
}

/** The version of HTTP that a connection speaks, as results name it. */
export type HttpVersion = NonNullable<HopEvidence['httpVersion']>;

/** The result of one request, as far as it got. */
export interface Exchanged {
  httpVersion: HttpVersion;
  fault: ProbeFault | null;
  /** The server answers this request over HTTP/1.1 only. */
  needsHttp1?: true;
  head: AnswerHead | null;
  /** Not decoded: at least the first `keep` bytes, if there are as many. */
  body: Buffer[];
  /** Whether the body was longer than what was read. */
  cut: boolean;
  /** The connection, which is left open for the request that signs in. */
  open: Socket | null;
  firstByteUs: number;
  transferUs: number;
}

export interface ExchangeOptions {
  socket: Socket;
  request: HttpRequest;
  peer: TlsPeer;
  planBody(head: AnswerHead): BodyPlan;
  deadline: Deadline;
}

const SMALL_CHUNK = 512;
const BLOCK_BYTES = 16 * 1024;

/** One request on its own connection, which is closed at its end. */
export abstract class HttpExchange implements Step {
  readonly timeoutKey = 'answer_timeout';
  protected readonly result: Exchanged;
  protected firstByteAt = 0;
  protected isSettled = false;
  protected plan: BodyPlan = { keep: 0, read: 0 };
  readonly #startedAt = performance.now();
  #readBytes = 0;
  #keptBytes = 0;
  /** The block that collects small chunks: the last one of the kept body. */
  #block: { buffer: Buffer; used: number } | null = null;

  protected constructor(
    httpVersion: HttpVersion,
    protected readonly options: ExchangeOptions,
    private readonly resolve: (result: Exchanged) => void,
  ) {
    this.result = {
      httpVersion,
      fault: null,
      head: null,
      body: [],
      cut: false,
      open: null,
      firstByteUs: 0,
      transferUs: 0,
    };
  }

  abstract send(): void;
  protected abstract close(): void;

  onHead(head: AnswerHead): void {
    this.result.head = head;
    this.plan = this.options.planBody(head);
  }

  onBody(chunk: Buffer): void {
    this.#readBytes += chunk.length;
    if (this.isSettled || this.#keptBytes >= this.plan.keep) return;
    const noMemory = this.plan.memory?.add(chunk.length);
    if (noMemory) return this.settle(noMemory);
    this.#keptBytes += chunk.length;
    if (chunk.length >= SMALL_CHUNK) {
      this.#block = null;
      this.result.body.push(chunk);
    } else this.#keepSmall(chunk);
  }

  /** Copies small chunks together: a body in single bytes would be a million buffers. */
  #keepSmall(chunk: Buffer): void {
    if (this.#block === null || this.#block.buffer.length - this.#block.used < chunk.length) {
      this.#block = { buffer: Buffer.allocUnsafe(BLOCK_BYTES), used: 0 };
      this.result.body.push(this.#block.buffer.subarray(0, 0));
    }
    const { buffer, used } = this.#block;
    chunk.copy(buffer, used);
    this.#block.used = used + chunk.length;
    this.result.body[this.result.body.length - 1] = buffer.subarray(0, this.#block.used);
  }

  protected get bodyBytes(): number {
    return this.#readBytes;
  }

  /** Ends where the plan does: more than that is not awaited. */
  protected endIfEnough(): void {
    if (!this.result.head || this.#readBytes < this.plan.read) return;
    this.result.cut = true;
    this.settle(null);
  }

  timeoutValues(): FaultValues {
    return { address: this.options.peer.address };
  }

  cancel(fault: ProbeFault): void {
    const { seconds = 0 } = fault.values;
    const { address } = this.options.peer;
    if (fault.key !== this.timeoutKey) this.settle(fault);
    else if (this.result.head) this.settle(new ProbeFault('body_timeout', { address, seconds, bytes: this.bodyBytes }));
    else if (this.firstByteAt > 0) this.settle(new ProbeFault('headers_timeout', { address, seconds }));
    else this.settle(this.#isSent ? fault : new ProbeFault('request_timeout', { address, seconds }));
  }

  /** The fault of a connection that ended in good order before the answer did. */
  protected cutFault(): ProbeFault {
    const { address } = this.options.peer;
    if (this.result.head) return new ProbeFault('body_cut', { address, bytes: this.bodyBytes });
    return new ProbeFault(this.firstByteAt > 0 ? 'headers_cut' : 'answer_missing', { address });
  }

  /** The fault of a connection that broke. */
  protected brokenFault(error: NodeJS.ErrnoException): ProbeFault {
    const { address } = this.options.peer;
    if (error.code?.startsWith('ERR_SSL_')) return tlsFault(error, this.options.peer);
    if (this.result.head) return new ProbeFault('body_reset', { address, bytes: this.bodyBytes });
    if (this.firstByteAt > 0) return new ProbeFault('headers_cut', { address });
    return new ProbeFault(this.#isSent ? 'answer_reset' : 'request_cut', { address });
  }

  get #isSent(): boolean {
    return this.options.socket.writableLength === 0;
  }

  protected settle(fault: ProbeFault | null): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.options.deadline.leave();
    const now = performance.now();
    const { result } = this;
    result.fault = fault;
    result.firstByteUs = Math.round(((this.firstByteAt || now) - this.#startedAt) * 1_000);
    result.transferUs = this.firstByteAt === 0 ? 0 : Math.round((now - this.firstByteAt) * 1_000);
    this.close();
    this.resolve(result);
  }
}

/** A status with its name: `404 Not Found`. */
export function statusText(statusCode: number): string {
  const name = STATUS_CODES[statusCode];
  return name === undefined ? String(statusCode) : `${statusCode} ${name}`;
}
