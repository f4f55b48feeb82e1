import {
  AnswerParser,
  MAX_HEAD_BYTES,
  MOST_INTERIM_ANSWERS,
  type AnswerFault,
  type AnswerSink,
} from './answer-parser.js';
import { headerOf } from './answer-head.js';
import { HttpExchange, type Exchanged, type ExchangeOptions } from './http-exchange.js';
import { ProbeFault } from './probe-fault.js';

/** Sends one request over HTTP/1.1, reads the response and closes the connection. */
export class Http1Exchange extends HttpExchange implements AnswerSink {
  readonly #parser: AnswerParser;

  constructor(options: ExchangeOptions, resolve: (result: Exchanged) => void) {
    super('1.1', options, resolve);
    this.#parser = new AnswerParser(options.request.method, this);
  }

  send(): void {
    const { socket, request, deadline } = this.options;
    deadline.enter(this);
    if (this.isSettled) return;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    if (request.body === null) socket.write(request.head, 'latin1');
    else socket.write(Buffer.concat([Buffer.from(request.head, 'latin1'), request.body]));
  }

  protected close(): void {
    const { socket, request } = this.options;
    const { fault, head } = this.result;
    const isKept =
      request.keepsOpen && fault === null && head?.statusCode === 401 && this.#parser.isDone && !socket.readableEnded;
    if (!isKept || /\bclose\b/i.test(headerOf(head, 'connection') ?? '')) return void socket.destroy();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    this.result.open = socket;
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.firstByteAt === 0) this.firstByteAt = performance.now();
    const broken = this.#parser.push(chunk);
    if (this.#parser.isDone) this.settle(null);
    else if (broken) this.settle(this.#answerFault(broken));
    // Data of the same packet is used.
    else this.endIfEnough();
  };

  readonly #onEnd = (): void => {
    if (this.isSettled) return;
    const broken = this.#parser.end();
    this.settle(broken ? this.#answerFault(broken) : null);
  };

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (!this.isSettled) this.settle(this.brokenFault(error));
  };

  #answerFault({ kind, why }: AnswerFault): ProbeFault {
    const { address } = this.options.peer;
    switch (kind) {
      case 'notHttp':
        return new ProbeFault('answer_not_http', { address, why });
      case 'headersTooLarge':
        return new ProbeFault('headers_too_large', { address, limit: MAX_HEAD_BYTES / 1024 });
      case 'neverFinal':
        return new ProbeFault('answer_never_final', { address, limit: MOST_INTERIM_ANSWERS });
      case 'bodyFraming':
        return new ProbeFault('body_not_http', { address, why });
      case 'headersCut':
      case 'bodyCut':
        return this.cutFault();
    }
  }
}
