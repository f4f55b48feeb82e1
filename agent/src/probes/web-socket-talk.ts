import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { headerOf, valuesOf, type AnswerHead } from './answer-head.js';
import { AnswerParser, MAX_HEAD_BYTES, type AnswerFault, type AnswerSink } from './answer-parser.js';
import type { Deadline, Step } from './deadline.js';
import { statusText } from './http-exchange.js';
import { quotePayload } from './payload.js';
import { printable } from './printable.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import { MOST_RECEIVED_BYTES, ReceivedData } from './received-data.js';
import type { HttpRequest } from './request-head.js';
import { clientFrame, SocketReader } from './web-socket-frames.js';

/** RFC 6455 §1.3: with it, a server proves that it has read the request. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const NORMAL_CLOSURE = Buffer.from([0x03, 0xe8]);

/** A payload as a message: of text, or of bytes. */
export interface SocketMessage {
  kind: 'text' | 'binary';
  bytes: Buffer;
}

export interface SocketTalk {
  fault: ProbeFault | null;
  head: AnswerHead | null;
  /** The bytes after the upgrade, as they were sent. */
  received: Buffer;
  firstByteUs: number;
  transferUs: number;
}

export interface SocketTalkOptions {
  socket: Socket;
  address: string;
  /** With `Connection: close` at its end, in place of which it asks for the upgrade. */
  request: Pick<HttpRequest, 'head'>;
  subprotocol: string | null;
  send: SocketMessage | null;
  expected: Buffer | null;
  deadline: Deadline;
}

/** Asks for a WebSocket on a connection, sends a message, waits for the expected one, and closes the connection. */
export function talkOverWebSocket(options: SocketTalkOptions): Promise<SocketTalk> {
  return new Promise((resolve) => {
    new WebSocketTalk(options, resolve).start();
  });
}

class WebSocketTalk implements Step, AnswerSink {
  readonly timeoutKey = 'answer_timeout';
  readonly #startedAt = performance.now();
  readonly #key = randomBytes(16).toString('base64');
  readonly #parser = new AnswerParser('GET', this);
  readonly #received = new ReceivedData(null);
  readonly #reader = new SocketReader();
  #head: AnswerHead | null = null;
  #firstByteAt = 0;
  #isOpen = false;
  #messages = 0;
  #settled = false;

  constructor(
    private readonly options: SocketTalkOptions,
    private readonly resolve: (talk: SocketTalk) => void,
  ) {}

  start(): void {
    const { socket, deadline, request, subprotocol } = this.options;
    deadline.enter(this);
    if (this.#settled) return;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    const asked = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${this.#key}`,
      ...(subprotocol === null ? [] : [`Sec-WebSocket-Protocol: ${subprotocol}`]),
      '\r\n',
    ].join('\r\n');
    socket.write(request.head.replace(/Connection: close\r\n\r\n$/, asked), 'latin1');
  }

  onHead(head: AnswerHead): void {
    this.#head = head;
  }

  /** The body of a refusal is not read. */
  onBody(): void {
    return;
  }

  timeoutValues(): FaultValues {
    return { address: this.options.address };
  }

  cancel(fault: ProbeFault): void {
    const { seconds = 0 } = fault.values;
    if (fault.key !== this.timeoutKey) return this.#settle(fault);
    if (!this.#isOpen) return this.#settle(this.#firstByteAt > 0 ? this.#fault('headers_timeout', { seconds }) : fault);
    const count =
      this.#messages === 0 ? 'nothing' : `${this.#messages} ${this.#messages === 1 ? 'message' : 'messages'}`;
    this.#settle(this.#fault('ws_slow', { count, seconds, ...this.#expectation() }));
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    if (this.#isOpen) return this.#read(chunk);
    const broken = this.#parser.push(chunk);
    if (broken) return this.#settle(this.#fault('ws_no_handshake', { why: whyOf(broken) }));
    if (!this.#head) return;
    const fault = this.#judgeHead(this.#head);
    if (fault) return this.#settle(fault);
    this.#open();
  };

  #judgeHead(head: AnswerHead): ProbeFault | null {
    if (head.statusCode !== 101) return this.#fault('ws_refused', { status: statusText(head.statusCode) });
    const why = handshakeFault(head, this.#key, this.options.subprotocol);
    return why === null ? null : this.#fault('ws_no_handshake', { why });
  }

  #open(): void {
    this.#isOpen = true;
    const { socket, send, expected } = this.options;
    if (send !== null) socket.write(clientFrame(send.kind, send.bytes, randomBytes(4)));
    if (expected === null) this.#settle(null);
    else this.#read(this.#parser.rest);
  }

  #read(chunk: Buffer): void {
    this.#received.add(chunk);
    const { bytes } = this.#received;
    for (let event = this.#reader.next(bytes); event && !this.#settled; event = this.#reader.next(bytes)) {
      if (event.kind === 'violation') this.#settle(this.#fault('ws_violation', { why: event.why }));
      else if (event.kind === 'ping') this.options.socket.write(clientFrame('pong', event.bytes, randomBytes(4)));
      else if (event.kind === 'close')
        this.#settle(this.#fault('ws_closed', { code: event.code ?? 'without a code', ...this.#expectation() }));
      else {
        this.#messages++;
        if (event.bytes.includes(this.options.expected!)) this.#settle(null);
      }
    }
    if (bytes.length >= MOST_RECEIVED_BYTES)
      this.#settle(this.#fault('ws_unexpected', { limit: MOST_RECEIVED_BYTES / 1024, ...this.#expectation() }));
  }

  readonly #onEnd = (): void => {
    if (this.#isOpen) this.#settle(this.#fault('ws_cut', this.#expectation()));
    else this.#settle(this.#fault(this.#firstByteAt > 0 ? 'headers_cut' : 'answer_missing'));
  };

  readonly #onError = (): void => {
    if (this.#isOpen || this.#firstByteAt > 0) this.#onEnd();
    else this.#settle(this.#fault('answer_reset'));
  };

  #fault(key: ConstructorParameters<typeof ProbeFault>[0], values: FaultValues = {}): ProbeFault {
    return new ProbeFault(key, { address: this.options.address, ...values });
  }

  #expectation(): FaultValues {
    return { expected: quotePayload(this.options.expected ?? Buffer.alloc(0)) };
  }

  #settle(fault: ProbeFault | null): void {
    if (this.#settled) return;
    this.#settled = true;
    const { socket, deadline } = this.options;
    deadline.leave();
    const now = performance.now();
    const firstByteAt = this.#firstByteAt || now;
    if (fault === null) {
      // The message must arrive, and the server may release the connection at once.
      socket.write(clientFrame('close', NORMAL_CLOSURE, randomBytes(4)));
      socket.destroySoon();
    } else socket.destroy();
    this.resolve({
      fault,
      head: this.#head,
      received: this.#received.bytes,
      firstByteUs: Math.round((firstByteAt - this.#startedAt) * 1_000),
      transferUs: this.#firstByteAt === 0 ? 0 : Math.round((now - firstByteAt) * 1_000),
    });
  }
}

/** Why an answer with status 101 opens no WebSocket (RFC 6455 §4.1), as the end of a sentence; null where it does. */
function handshakeFault(head: AnswerHead, key: string, subprotocol: string | null): string | null {
  if (headerOf(head, 'upgrade')?.toLowerCase() !== 'websocket') return 'its Upgrade header is not websocket';
  if (!/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headerOf(head, 'connection') ?? ''))
    return 'its Connection header is not Upgrade';
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  if (headerOf(head, 'sec-websocket-accept') !== accept) return 'its Sec-WebSocket-Accept does not fit the request';
  const extensions = headerOf(head, 'sec-websocket-extensions');
  if (extensions !== undefined) return `it uses the extension ${printable(extensions)}, which was not offered`;
  const chosen = valuesOf(head, 'sec-websocket-protocol');
  if (chosen.length > 1 || (chosen[0] ?? null) !== subprotocol)
    return chosen.length === 0
      ? `it does not take the subprotocol ${printable(subprotocol!)}`
      : `it takes the subprotocol ${printable(chosen.join(', '))}, which was not offered`;
  return null;
}

function whyOf({ kind, why }: AnswerFault): string {
  if (kind === 'headersTooLarge') return `its headers are larger than ${MAX_HEAD_BYTES / 1024} KiB`;
  return kind === 'neverFinal' ? 'it has only interim answers' : why;
}
