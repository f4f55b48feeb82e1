import { request as httpRequest, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';
import { wireHeaders, type HttpRequest } from './request-head.js';
import { tlsFault, type TlsPeer } from './tls-fault.js';

/** The start of an answer. */
export interface AnswerHead {
  statusCode: number;
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[];
  /** Names in lower case. */
  headers: IncomingMessage['headers'];
}

/** How much of a body is wanted, once its head is known. */
export interface BodyPlan {
  /** Bytes to keep, from the first. */
  keep: number;
  /** The answer counts as read once this many bytes have come; 0 for not waiting for the body at all. */
  read: number;
}

/** What came of one request; with a fault, as far as it got. */
export interface Exchanged {
  fault: ProbeFault | null;
  head: AnswerHead | null;
  /** As sent, not decoded: at least the first `keep` bytes, where as many came. */
  body: Buffer[];
  /** True where more of the body was to come when reading stopped. */
  cut: boolean;
  firstByteUs: number;
  transferUs: number;
}

const MAX_HEADER_BYTES = 64 * 1024;
const MOST_INTERIM_ANSWERS = 20;

/**
 * Sends one request over a connection of its own and reads the answer. The connection is closed in the end.
 * Node's parser is told to be lenient, as browsers are: with one request a connection nothing can be
 * smuggled, and a site that every browser shows is not down.
 */
export function exchange(
  socket: Socket, request: HttpRequest, userAgent: string, peer: TlsPeer, planBody: (head: AnswerHead) => BodyPlan, deadline: Deadline,
): Promise<Exchanged> {
  const { address } = peer;
  const startedAt = performance.now();
  let firstByteAt: number | null = null;
  let bodyBytes = 0;
  let keptBytes = 0;
  let interim = 0;
  const result: Exchanged = { fault: null, head: null, body: [], cut: false, firstByteUs: 0, transferUs: 0 };

  return new Promise((resolve) => {
    let settled = false;
    const settle = (fault: ProbeFault | null): void => {
      if (settled) return;
      settled = true;
      deadline.leave();
      const now = performance.now();
      result.fault = fault;
      result.firstByteUs = Math.round(((firstByteAt ?? now) - startedAt) * 1_000);
      result.transferUs = firstByteAt === null ? 0 : Math.round((now - firstByteAt) * 1_000);
      // A finished answer is closed as TLS asks, what is left over is cut off.
      if (fault === null && !result.cut) socket.destroySoon();
      else socket.destroy();
      resolve(result);
    };
    const broken = (error: NodeJS.ErrnoException): void => settle(breakFault(error));

    const sent = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: request.url.pathname + request.url.search,
      headers: wireHeaders(request, userAgent) as unknown as readonly string[] & Record<string, string>,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: true,
    });
    sent.once('socket', () => {
      socket.once('data', () => {
        firstByteAt = performance.now();
      });
    });
    sent.on('information', () => {
      if (++interim > MOST_INTERIM_ANSWERS) settle(new ProbeFault('answer_never_final', { address, limit: MOST_INTERIM_ANSWERS }));
    });
    // 101 though nobody asked for it: an answer like any other, without a body.
    sent.once('upgrade', (answer) => {
      result.head = headOf(answer);
      result.cut = true;
      settle(null);
    });
    sent.on('error', broken);
    sent.once('response', (answer) => {
      const head = headOf(answer);
      result.head = head;
      const plan = planBody(head);
      answer.on('data', (chunk: Buffer) => {
        bodyBytes += chunk.length;
        if (keptBytes < plan.keep) {
          keptBytes += chunk.length;
          result.body.push(chunk);
        }
        if (bodyBytes >= plan.read && plan.read > 0 && !answer.complete) {
          result.cut = true;
          settle(null);
        }
      });
      answer.once('end', () => settle(null));
      answer.on('error', broken);
      answer.once('close', () => broken(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
      deadline.leave();
      if (plan.read === 0) {
        // What came in the same packet is taken, so that the close is a clean one; nobody waits for more.
        setImmediate(() => {
          result.cut = !answer.complete;
          settle(null);
        });
        return;
      }
      deadline.enter('body_timeout', { address, bytes: 0 }, (fault) => {
        settle(fault.key === 'body_timeout' ? new ProbeFault('body_timeout', { ...fault.values, bytes: bodyBytes }) : fault);
      });
    });

    const breakFault = (error: NodeJS.ErrnoException): ProbeFault => {
      const code = error.code ?? 'unknown';
      if (code.startsWith('ERR_SSL_')) return tlsFault(error, peer);
      const notHttp = code.startsWith('HPE_');
      if (result.head) {
        if (notHttp && code !== 'HPE_INVALID_EOF_STATE') return new ProbeFault('body_not_http', { address, code });
        // Node says ECONNRESET ("aborted") of a polite close too; only the socket knows which it was.
        return new ProbeFault(socket.errored ? 'body_reset' : 'body_cut', { address, bytes: bodyBytes });
      }
      if (code === 'HPE_HEADER_OVERFLOW') return new ProbeFault('headers_too_large', { address, limit: MAX_HEADER_BYTES / 1024 });
      if (code === 'HPE_INVALID_EOF_STATE') return new ProbeFault('headers_cut', { address });
      if (notHttp) return new ProbeFault('answer_not_http', { address, code });
      if (firstByteAt !== null) return new ProbeFault('headers_cut', { address });
      if (!sent.writableFinished) return new ProbeFault('request_cut', { address });
      return new ProbeFault(socket.errored ? 'answer_reset' : 'answer_missing', { address });
    };

    deadline.enter('answer_timeout', { address }, (fault) => {
      if (fault.key !== 'answer_timeout') settle(fault);
      else if (firstByteAt !== null) settle(new ProbeFault('headers_timeout', fault.values));
      else settle(sent.writableFinished ? fault : new ProbeFault('request_timeout', fault.values));
    });
    if (request.body === null) sent.end();
    else sent.end(request.body);
  });
}

function headOf(answer: IncomingMessage): AnswerHead {
  return { statusCode: answer.statusCode ?? 0, rawHeaders: answer.rawHeaders, headers: answer.headers };
}

/** A status as people know it: `404 Not Found`. */
export function statusText(statusCode: number): string {
  const name = STATUS_CODES[statusCode];
  return name === undefined ? String(statusCode) : `${statusCode} ${name}`;
}
