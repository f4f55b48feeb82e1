import { headerOf, type AnswerHead } from './answer-head.js';
import { decideLength } from './decide-length.js';
import { printable } from './printable.js';
import { readFields } from './read-fields.js';

/** A fault of a response. `why` completes a sentence. */
export interface AnswerFault {
  kind: 'notHttp' | 'headersTooLarge' | 'headersCut' | 'neverFinal' | 'bodyFraming' | 'bodyCut';
  why: string;
}

/** Receives the parts of a response as they arrive. */
export interface AnswerSink {
  onHead(head: AnswerHead): void;
  onBody(chunk: Buffer): void;
}

type State = 'head' | 'length' | 'close' | 'chunkSize' | 'chunkData' | 'chunkEnd' | 'trailers' | 'done';

/** The limit of all heads of a response together, including interim ones and trailers. */
export const MAX_HEAD_BYTES = 64 * 1024;
export const MOST_INTERIM_ANSWERS = 20;
const MAX_CHUNK_LINE = 4 * 1024;
const EMPTY = Buffer.alloc(0);
const LF = 10;
const CR = 13;
const START = 'HTTP/';
/** The bytes of line ends before the status line, as many as Chromium skips. */
const MOST_LINE_ENDS = 4;
const USUAL_STATUS = /^HTTP\/1\.\d +([1-9]\d\d)(?:\s|$)/;
/** Versions and spellings that are no HTTP/1.x and have one possible status. */
const ODD_STATUS = /^http\/\d{1,2}(?:\.\d{1,2})?[ \t]+([1-9]\d\d)(?!\d)/i;

/**
 * Parses one HTTP/1.x response (RFC 9112) from a connection that carries only this one, as tolerantly as browsers: bare
 * line feeds, folded and malformed header lines, a missing last line break, odd status lines and lengths are accepted, because
 * a site that every browser shows is not down. What can be read in two ways is refused. Node's own parser costs as much as the connection itself
 * (docs/decisions/0002-http-checks-on-raw-sockets.md).
 */
export class AnswerParser {
  #state: State = 'head';
  /** Bytes of an unfinished head or line. */
  #pending: Buffer = EMPTY;
  #pendingLength = 0;
  /** Remaining bytes of the body or chunk. */
  #left = 0;
  #interim = 0;
  /** Bytes of heads and trailers so far. */
  #headBytes = 0;
  #lineEnds = 0;
  readonly #notes: string[] = [];
  /** The bytes behind the response in the last part; after a switch of protocols, they are of the new one. */
  rest: Buffer = EMPTY;

  constructor(
    private readonly method: string,
    private readonly sink: AnswerSink,
  ) {}

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Parses received bytes. @returns a fault, after which no more bytes may be passed */
  push(chunk: Buffer): AnswerFault | null {
    let at = 0;
    while (at < chunk.length) {
      switch (this.#state) {
        case 'head': {
          if (this.#skipsLineEnd(chunk[at]!)) {
            at++;
            break;
          }
          const rest = at === 0 ? chunk : chunk.subarray(at);
          const head = this.#takeHead(rest);
          if (typeof head !== 'number') return head;
          at += head;
          break;
        }
        case 'length':
        case 'chunkData': {
          const size = Math.min(this.#left, chunk.length - at);
          this.sink.onBody(at === 0 && size === chunk.length ? chunk : chunk.subarray(at, at + size));
          at += size;
          this.#left -= size;
          if (this.#left === 0) this.#state = this.#state === 'length' ? 'done' : 'chunkEnd';
          break;
        }
        case 'close':
          this.sink.onBody(at === 0 ? chunk : chunk.subarray(at));
          return null;
        case 'done':
          this.rest = chunk.subarray(at);
          return null;
        default: {
          const taken = this.#takeLine(chunk, at);
          if (typeof taken !== 'number') return taken;
          at = taken;
        }
      }
    }
    return null;
  }

  /** The connection has ended. @returns null where the response is complete */
  end(): AnswerFault | null {
    switch (this.#state) {
      case 'done':
      case 'close':
      // The last chunk has arrived; only the empty line after it is missing.
      case 'trailers':
        this.#state = 'done';
        return null;
      case 'head':
        return isStart(this.#pendingText())
          ? { kind: 'headersCut', why: 'cut' }
          : this.#notHttp(this.#pending.subarray(0, this.#pendingLength));
      default:
        return { kind: 'bodyCut', why: 'cut' };
    }
  }

  #skipsLineEnd(byte: number): boolean {
    const isSkipped = (byte === CR || byte === LF) && this.#pendingLength === 0 && this.#lineEnds < MOST_LINE_ENDS;
    if (isSkipped && ++this.#lineEnds === 1) this.#notes.push('A line end comes before its status line.');
    return isSkipped;
  }

  /** @returns the number of consumed bytes, or a fault */
  #takeHead(chunk: Buffer): number | AnswerFault {
    const before = this.#pendingLength;
    const bytes = before === 0 ? chunk : this.#append(chunk);
    const end = endOfHead(bytes, Math.max(0, before - 3));
    // A whole head is refused by its status line.
    if (
      end < 0 &&
      before < START.length &&
      bytes.length >= START.length &&
      !isStart(bytes.toString('latin1', 0, START.length))
    )
      return this.#notHttp(bytes);
    if (this.#headBytes + (end < 0 ? bytes.length : end) > MAX_HEAD_BYTES)
      return { kind: 'headersTooLarge', why: 'too large' };
    if (end < 0) {
      if (before === 0) this.#append(chunk);
      return chunk.length;
    }
    this.#headBytes += end;
    const fault = this.#readHead(bytes.toString('latin1', 0, end));
    this.#pendingLength = 0;
    this.#pending = EMPTY;
    return fault ?? end - before;
  }

  #readHead(text: string): AnswerFault | null {
    const lines = text.split('\n');
    const status = USUAL_STATUS.exec(lines[0]!) ?? this.#oddStatus(lines[0]!);
    if (!status) return this.#notHttp(Buffer.from(text, 'latin1'));
    const statusCode = Number(status[1]);
    const head: AnswerHead = { statusCode, headers: readFields(lines) };
    if (statusCode < 200 && statusCode !== 101) {
      return ++this.#interim > MOST_INTERIM_ANSWERS ? { kind: 'neverFinal', why: 'interim' } : null;
    }
    return this.#frame(head);
  }

  #oddStatus(line: string): RegExpExecArray | null {
    const status = ODD_STATUS.exec(line);
    if (status) this.#notes.push(`Its status line is “${printable(line)}”, which is not HTTP/1.1.`);
    return status;
  }

  /** Decides how the body ends (RFC 9112 §6.3). */
  #frame(head: AnswerHead): AnswerFault | null {
    const { statusCode } = head;
    const coding = headerOf(head, 'transfer-encoding');
    const length = headerOf(head, 'content-length');
    if (this.method === 'HEAD' || statusCode === 101 || statusCode === 204 || statusCode === 304) this.#state = 'done';
    else if (coding !== undefined && coding.toLowerCase() !== 'identity')
      this.#state = /(?:^|,)\s*chunked$/i.test(coding) ? 'chunkSize' : 'close';
    else if (length === undefined) this.#state = 'close';
    else {
      const bytes = decideLength(length, (note) =>
        this.#notes.push(`Its Content-Length is “${printable(length)}”${note}.`),
      );
      if (bytes === undefined) return { kind: 'notHttp', why: `its Content-Length is “${printable(length)}”` };
      this.#left = bytes ?? 0;
      if (bytes === null) head.isUnframed = true;
      this.#state = bytes === null ? 'close' : bytes === 0 ? 'done' : 'length';
    }
    if (this.#notes.length > 0) head.notes = this.#notes;
    this.sink.onHead(head);
    return null;
  }

  /** Parses a chunk size, the line break after its data, or a trailer. @returns the next position, or a fault */
  #takeLine(chunk: Buffer, from: number): number | AnswerFault {
    const end = chunk.indexOf(LF, from);
    const part = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
    if (this.#pendingLength + part.length > MAX_CHUNK_LINE) return framing('a line between its chunks has no end');
    if (this.#state === 'trailers') {
      this.#headBytes += part.length;
      if (this.#headBytes > MAX_HEAD_BYTES)
        return framing(`its headers and trailers are larger than ${MAX_HEAD_BYTES / 1024} KiB together`);
    }
    const bytes = end < 0 || this.#pendingLength > 0 ? this.#append(part) : part;
    if (end < 0) return chunk.length;
    const line = bytes.toString('latin1', 0, bytes.length).trim();
    this.#pendingLength = 0;
    if (this.#state === 'chunkEnd') {
      if (line !== '') return framing('a chunk is longer than its size');
      this.#state = 'chunkSize';
    } else if (this.#state === 'chunkSize') {
      const size = /^([0-9a-f]{1,13})\s*(?:;.*)?$/i.exec(line)?.[1];
      if (size === undefined) return framing(`“${printable(line)}” is not the size of a chunk`);
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'chunkData';
    } else if (line === '') this.#state = 'done';
    return end + 1;
  }

  #append(chunk: Buffer): Buffer {
    const length = this.#pendingLength + chunk.length;
    if (length > this.#pending.length) {
      // Doubled, so that a response in single bytes costs linear time.
      const grown = Buffer.allocUnsafe(Math.max(1_024, 2 * length));
      this.#pending.copy(grown, 0, 0, this.#pendingLength);
      this.#pending = grown;
    }
    chunk.copy(this.#pending, this.#pendingLength);
    this.#pendingLength = length;
    return this.#pending.subarray(0, length);
  }

  #pendingText(): string {
    return this.#pending.toString('latin1', 0, Math.min(START.length, this.#pendingLength));
  }

  #notHttp(bytes: Buffer): AnswerFault {
    return { kind: 'notHttp', why: `it begins with “${printable(bytes.toString('latin1', 0, 40))}”` };
  }
}

/** The index after the empty line, -1 before it has arrived. */
function endOfHead(bytes: Buffer, from: number): number {
  // Byte by byte: a call of `indexOf` for each line costs more than the bytes.
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== LF) continue;
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** Whether a status line can begin so, in any case. */
function isStart(text: string): boolean {
  const upper = text.toUpperCase();
  return text.length < START.length ? START.startsWith(upper) : upper.startsWith(START);
}

function framing(why: string): AnswerFault {
  return { kind: 'bodyFraming', why };
}
