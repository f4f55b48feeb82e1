import {
  connect,
  constants,
  sensitiveHeaders,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { MAX_HEAD_BYTES, MOST_INTERIM_ANSWERS } from './answer-parser.js';
import { BODY_LIMIT } from './decide-answer.js';
import { HttpExchange, type Exchanged, type ExchangeOptions } from './http-exchange.js';
import { codeName, FRAMES } from './http2-frames.js';
import { Http2Wire } from './http2-wire.js';
import type { FaultKey } from './fault-sentences.js';
import { ProbeFault, type FaultValues } from './probe-fault.js';
import type { HttpRequest } from './request-head.js';

/** Fields take 32 bytes beside their name and value (RFC 9113 §6.5.2), so that there cannot be more of them. */
const MOST_FIELDS = MAX_HEAD_BYTES / 32;
/** nghttp2 gives up after as many, too. */
const MOST_CONTINUATIONS = 8;
/** The most bytes that are no part of a body, with the headers; each byte of a body may have a frame of its own, of 9 bytes. */
const MOST_OTHER_BYTES = 4 * MAX_HEAD_BYTES;
const MOST_BYTES_A_BYTE = 16;
/** Node gives up after a thousand. */
const MOST_EMPTY_FRAMES = 500;
const HOP_BY_HOP = new Set(['connection', 'host']);

/** Sends one request over HTTP/2, reads the response and closes the connection. */
export class Http2Exchange extends HttpExchange {
  readonly #wire: Http2Wire;
  #session: ClientHttp2Session | undefined;
  #stream: ClientHttp2Stream | undefined;
  #interim = 0;

  constructor(options: ExchangeOptions, resolve: (result: Exchanged) => void) {
    super('2', options, resolve);
    this.#wire = new Http2Wire(
      options.socket,
      () => this.#received(),
      (code) => {
        if (code !== constants.NGHTTP2_NO_ERROR) this.#violated(this.#why(code));
      },
    );
  }

  send(): void {
    this.options.deadline.enter(this);
    if (this.isSettled) return;
    // It stays, as those of session and stream do: an error after the end of the check must not end the process.
    this.#wire.on('error', this.#onError);
    try {
      this.#request(this.options.request);
    } catch {
      this.settle(new ProbeFault('invalid_target', { why: 'its headers cannot be sent over HTTP/2' }));
    }
  }

  override cancel(fault: ProbeFault): void {
    const isSilent = fault.key === this.timeoutKey && this.#wire.received.first === null;
    super.cancel(isSilent ? new ProbeFault('http2_silent', fault.values) : fault);
  }

  /** Node loses what has arrived before a frame that ends the request. */
  protected override get bodyBytes(): number {
    return this.#wire.received.dataBytes;
  }

  protected close(): void {
    this.#session?.destroy();
    this.#wire.destroy();
    this.options.socket.destroy();
  }

  #request(request: HttpRequest): void {
    const session = connect(request.href, {
      createConnection: () => this.#wire,
      settings: { enablePush: false, maxHeaderListSize: MAX_HEAD_BYTES, initialWindowSize: BODY_LIMIT },
      maxHeaderListPairs: MOST_FIELDS,
    });
    this.#session = session;
    session.on('error', this.#onError);
    session.on('close', this.#onError);
    // As large as the part of a body that is read: its server never waits for this side.
    session.setLocalWindowSize(BODY_LIMIT);
    const headers = http2Headers(request);
    const stream = session.request(
      { ...headers, [sensitiveHeaders]: Object.keys(headers) },
      { endStream: request.body === null },
    );
    this.#stream = stream;
    stream.on('headers', () => {
      if (++this.#interim > MOST_INTERIM_ANSWERS)
        this.#fail(() => 'answer_never_final', { limit: MOST_INTERIM_ANSWERS });
    });
    stream.on('response', this.#onResponse);
    stream.on('error', this.#onError);
    stream.on('close', this.#onError);
    if (request.body !== null) stream.end(request.body);
  }

  readonly #onResponse = (status: IncomingHttpHeaders, _flags: number, raw: string[] = []): void => {
    if (this.isSettled) return;
    const headers = raw.filter((_, index) => !raw[index - (index % 2)]!.startsWith(':'));
    this.onHead({ statusCode: Number(status[':status']), headers });
    const stream = this.#stream!;
    stream.on('data', (chunk: Buffer) => {
      this.onBody(chunk);
      this.#endIfEnough();
    });
    stream.on('end', () => {
      if (this.#wire.received.isEnded) this.settle(null);
    });
    this.#endIfEnough();
  };

  /** A complete answer is used as it is. */
  #endIfEnough(): void {
    if (!this.#wire.received.isEnded) this.endIfEnough();
  }

  /** Ends what has no end, before Node has it. */
  #received(): void {
    const { received, receivedBytes } = this.#wire;
    this.firstByteAt ||= received.headersAt;
    const other = receivedBytes - MOST_BYTES_A_BYTE * received.dataBytes;
    if (received.headerBytes > MAX_HEAD_BYTES) this.#tooLarge();
    else if (received.continuations > MOST_CONTINUATIONS)
      this.#violated('its headers come in too many parts (CONTINUATION)');
    else if (received.hasPush) this.#violated('it pushes what was not requested (PUSH_PROMISE)');
    else if (other > MOST_OTHER_BYTES || received.emptyFrames > MOST_EMPTY_FRAMES)
      this.#violated('its frames have no end and hardly any of the answer');
  }

  /** The exchange has ended before the answer did. Several events can report it, and the first one decides. */
  readonly #onError = (error?: NodeJS.ErrnoException): void => {
    const { received } = this.#wire;
    // The end of what has arrived completely is yet to come.
    if (this.isSettled || (received.isEnded && !error)) return;
    const code = received.reset ?? received.goaway;
    if (code === constants.NGHTTP2_HTTP_1_1_REQUIRED && !this.result.head) this.result.needsHttp1 = true;
    const ownCode = this.#stream?.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (received.reset !== null) this.#ended(`RST_STREAM, ${codeName(received.reset)}`);
    else if (received.goaway !== null) this.#ended(`GOAWAY, ${codeName(received.goaway)}`);
    else if (ownCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) this.#tooLarge();
    else if (error?.code?.startsWith('ERR_HTTP2_')) this.#violated(this.#why(ownCode));
    else setImmediate(() => this.settle(error ? this.brokenFault(error) : this.cutFault()));
  };

  #ended(how: string): void {
    this.#fail(() => (this.result.head ? 'body_ended' : 'answer_ended'), { how });
  }

  #tooLarge(): void {
    this.#fail(() => 'headers_too_large', { limit: MAX_HEAD_BYTES / 1_024 });
  }

  #violated(why: string): void {
    this.#fail(() => (this.result.head ? 'body_not_http' : 'answer_not_http2'), { why });
  }

  /** @param code with which this side gave up; that of the request is more exact than that of the connection */
  #why(code: number): string {
    const { first, received, sent } = this.#wire;
    if (first.subarray(0, 5).toString('latin1') === 'HTTP/') return 'it is HTTP/1';
    if (received.first !== null && received.first !== FRAMES.settings) return 'it does not begin with SETTINGS';
    const own = sent.reset ?? code;
    // Node sends this one for faults of the server too.
    const shown = own === constants.NGHTTP2_INTERNAL_ERROR ? '' : ` (${codeName(own)})`;
    return `its frames do not follow the protocol${shown}`;
  }

  /** Ends after the events of what has arrived before: Node emits them in the next tick. */
  #fail(keyOf: () => FaultKey, values: FaultValues): void {
    const { address } = this.options.peer;
    setImmediate(() => this.settle(new ProbeFault(keyOf(), { address, bytes: this.bodyBytes, ...values })));
  }
}

/** The fields of a request, which its head states in the form of HTTP/1.1. */
function http2Headers({ head, method, secure }: HttpRequest): OutgoingHttpHeaders {
  const [start = '', ...lines] = head.trimEnd().split('\r\n');
  const fields = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)] as const;
  });
  return {
    ':method': method,
    ':scheme': secure ? 'https' : 'http',
    ':authority': fields.find(([name]) => name === 'host')?.[1],
    ':path': start.split(' ')[1],
    ...Object.fromEntries(fields.filter(([name]) => !HOP_BY_HOP.has(name))),
  };
}
