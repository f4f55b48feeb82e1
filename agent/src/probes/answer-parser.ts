import { headerOf, type AnswerHead } from './answer-head.js';

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

/**
 * Parses one HTTP/1.x response (RFC 9112) from a connection that carries only this one, as tolerantly as browsers: bare
 * line feeds, folded and malformed header lines and a missing last line break are accepted, because a site that every
 * browser shows is not down. Node's own parser costs as much as the connection itself
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
        if (this.#pendingLength < START.length && START.startsWith(this.#pendingText()))
          return { kind: 'headersCut', why: 'cut' };
        return this.#pendingText().startsWith(START)
          ? { kind: 'headersCut', why: 'cut' }
          : this.#notHttp(this.#pending.subarray(0, this.#pendingLength));
      default:
        return { kind: 'bodyCut', why: 'cut' };
    }
  }

  /** @returns the number of consumed bytes, or a fault */
  #takeHead(chunk: Buffer): number | AnswerFault {
    const before = this.#pendingLength;
    const bytes = before === 0 ? chunk : this.#append(chunk);
    if (bytes.length >= START.length && bytes.toString('latin1', 0, START.length) !== START)
      return this.#notHttp(bytes);
    const end = endOfHead(bytes, Math.max(0, before - 3));
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
    const status = /^HTTP\/1\.\d +(\d{3})(?:\s|$)/.exec(lines[0]!);
    if (!status) return this.#notHttp(Buffer.from(text, 'latin1'));
    const statusCode = Number(status[1]);
    const head: AnswerHead = { statusCode, headers: readFields(lines) };
    if (statusCode < 200 && statusCode !== 101) {
      return ++this.#interim > MOST_INTERIM_ANSWERS ? { kind: 'neverFinal', why: 'interim' } : null;
    }
    return this.#frame(head);
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
      // Repeated equal lengths are one length.
      const lengths = new Set(length.split(',').map((one) => one.trim()));
      const [only = ''] = lengths;
      if (lengths.size !== 1 || !/^\d{1,15}$/.test(only))
        return { kind: 'notHttp', why: `its Content-Length is “${printable(length)}”` };
      this.#left = Number(only);
      this.#state = this.#left === 0 ? 'done' : 'length';
    }
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

/**
 * Alternating lower-case names and values of the lines after the status line. A folded value continues after a space (RFC
 * 9112 §5.2); its parts are joined once, at its end.
 */
function readFields(lines: readonly string[]): string[] {
  const fields: string[] = [];
  let value: string[] = [];
  const end = () => {
    if (value.length > 0) fields.push(value.join(' ').trim());
    value = [];
  };
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    if (line === '' || line === '\r') continue;
    const first = line.charCodeAt(0);
    if (first === 32 || first === 9) {
      const part = line.trim();
      if (value.length > 0 && part !== '') value.push(part);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    end();
    fields.push(line.slice(0, colon).trimEnd().toLowerCase());
    value.push(line.slice(colon + 1).trim());
  }
  end();
  return fields;
}

/** The index after the empty line, -1 before it has arrived. */
function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

function framing(why: string): AnswerFault {
  return { kind: 'bodyFraming', why };
}

/** The first line, at most 40 characters, with `?` for unprintable ones. */
function printable(text: string): string {
  return text
    .split(/[\r\n]/)[0]!
    .slice(0, 40)
    .replaceAll(/[^\x20-\x7e]/g, '?');
}
