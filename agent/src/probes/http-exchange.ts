import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerHead } from './answer-head.js';
import {
  AnswerParser,
  MAX_HEAD_BYTES,
  MOST_INTERIM_ANSWERS,
  type AnswerFault,
  type AnswerSink,
} from './answer-parser.js';
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

/** The result of one request, as far as it got. */
export interface Exchanged {
  fault: ProbeFault | null;
  head: AnswerHead | null;
  /** Not decoded: at least the first `keep` bytes, if there are as many. */
  body: Buffer[];
  /** Whether the body was longer than what was read. */
  cut: boolean;
  firstByteUs: number;
  transferUs: number;
}

/** Sends one request on its own connection, reads the response and closes the connection. */
export function exchange(
  socket: Socket,
  request: HttpRequest,
  peer: TlsPeer,
  planBody: (head: AnswerHead) => BodyPlan,
  deadline: Deadline,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    new Exchange(socket, request, peer, planBody, deadline, resolve).send();
  });
}

const SMALL_CHUNK = 512;
const BLOCK_BYTES = 16 * 1024;

class Exchange implements AnswerSink, Step {
  readonly timeoutKey = 'answer_timeout';
  readonly #startedAt = performance.now();
  readonly #parser: AnswerParser;
  readonly #result: Exchanged = { fault: null, head: null, body: [], cut: false, firstByteUs: 0, transferUs: 0 };
  #firstByteAt = 0;
  #bodyBytes = 0;
  #keptBytes = 0;
  /** The block that collects small chunks: the last one of the kept body. */
  #block: { buffer: Buffer; used: number } | null = null;
  #plan: BodyPlan = { keep: 0, read: 0 };
  #settled = false;

  constructor(
    private readonly socket: Socket,
    private readonly request: HttpRequest,
    private readonly peer: TlsPeer,
    private readonly planBody: (head: AnswerHead) => BodyPlan,
    private readonly deadline: Deadline,
    private readonly resolve: (result: Exchanged) => void,
  ) {
    this.#parser = new AnswerParser(request.method, this);
  }

  send(): void {
    const { socket, request } = this;
    this.deadline.enter(this);
    if (this.#settled) return;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    if (request.body === null) socket.write(request.head, 'latin1');
    else socket.write(Buffer.concat([Buffer.from(request.head, 'latin1'), request.body]));
  }

  onHead(head: AnswerHead): void {
    this.#result.head = head;
    this.#plan = this.planBody(head);
  }

  onBody(chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    if (this.#settled || this.#keptBytes >= this.#plan.keep) return;
    const noMemory = this.#plan.memory?.add(chunk.length);
    if (noMemory) return this.#settle(noMemory);
    this.#keptBytes += chunk.length;
    if (chunk.length >= SMALL_CHUNK) {
      this.#block = null;
      this.#result.body.push(chunk);
    } else this.#keepSmall(chunk);
  }

  /** Copies small chunks together: a body in single bytes would be a million buffers. */
  #keepSmall(chunk: Buffer): void {
    if (this.#block === null || this.#block.buffer.length - this.#block.used < chunk.length) {
      this.#block = { buffer: Buffer.allocUnsafe(BLOCK_BYTES), used: 0 };
      this.#result.body.push(this.#block.buffer.subarray(0, 0));
    }
    const { buffer, used } = this.#block;
    chunk.copy(buffer, used);
    this.#block.used = used + chunk.length;
    this.#result.body[this.#result.body.length - 1] = buffer.subarray(0, this.#block.used);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    const broken = this.#parser.push(chunk);
    if (this.#parser.isDone) this.#settle(null);
    else if (broken) this.#settle(this.#answerFault(broken));
    // Data of the same packet is used; more than the plan is not awaited.
    else if (this.#result.head && this.#bodyBytes >= this.#plan.read) {
      this.#result.cut = true;
      this.#settle(null);
    }
  };

  readonly #onEnd = (): void => {
    if (this.#settled) return;
    const broken = this.#parser.end();
    this.#settle(broken ? this.#answerFault(broken) : null);
  };

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (this.#settled) return;
    const { address } = this.peer;
    if (error.code?.startsWith('ERR_SSL_')) this.#settle(tlsFault(error, this.peer));
    else if (this.#result.head) this.#settle(new ProbeFault('body_reset', { address, bytes: this.#bodyBytes }));
    else if (this.#firstByteAt > 0) this.#settle(new ProbeFault('headers_cut', { address }));
    else this.#settle(new ProbeFault(this.#isSent ? 'answer_reset' : 'request_cut', { address }));
  };

  timeoutValues(): FaultValues {
    return { address: this.peer.address };
  }

  cancel(fault: ProbeFault): void {
    const { seconds = 0 } = fault.values;
    const { address } = this.peer;
    if (fault.key !== this.timeoutKey) this.#settle(fault);
    else if (this.#result.head)
      this.#settle(new ProbeFault('body_timeout', { address, seconds, bytes: this.#bodyBytes }));
    else if (this.#firstByteAt > 0) this.#settle(new ProbeFault('headers_timeout', { address, seconds }));
    else this.#settle(this.#isSent ? fault : new ProbeFault('request_timeout', { address, seconds }));
  }

  get #isSent(): boolean {
    return this.socket.writableLength === 0;
  }

  #answerFault({ kind, why }: AnswerFault): ProbeFault {
    const { address } = this.peer;
    switch (kind) {
      case 'notHttp':
        return new ProbeFault('answer_not_http', { address, why });
      case 'headersTooLarge':
        return new ProbeFault('headers_too_large', { address, limit: MAX_HEAD_BYTES / 1024 });
      case 'headersCut':
        return new ProbeFault(this.#firstByteAt > 0 ? 'headers_cut' : 'answer_missing', { address });
      case 'neverFinal':
        return new ProbeFault('answer_never_final', { address, limit: MOST_INTERIM_ANSWERS });
      case 'bodyFraming':
        return new ProbeFault('body_not_http', { address, why });
      case 'bodyCut':
        return new ProbeFault('body_cut', { address, bytes: this.#bodyBytes });
    }
  }

  #settle(fault: ProbeFault | null): void {
    if (this.#settled) return;
    this.#settled = true;
    this.deadline.leave();
    const now = performance.now();
    const result = this.#result;
    result.fault = fault;
    result.firstByteUs = Math.round(((this.#firstByteAt || now) - this.#startedAt) * 1_000);
    result.transferUs = this.#firstByteAt === 0 ? 0 : Math.round((now - this.#firstByteAt) * 1_000);
    this.socket.destroy();
    this.resolve(result);
  }
}

/** A status with its name: `404 Not Found`. */
export function statusText(statusCode: number): string {
  const name = STATUS_CODES[statusCode];
  return name === undefined ? String(statusCode) : `${statusCode} ${name}`;
}
