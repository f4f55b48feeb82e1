/** The types of frames (RFC 9113 §6) that are distinguished here. */
export const FRAMES = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, goaway: 7, continuation: 9 } as const;
const END_STREAM = 1;
const END_HEADERS = 4;
const HEADER_BYTES = 9;
/** As many bytes of a frame as its code ends at. */
const CODE_END = { [FRAMES.reset]: 4, [FRAMES.goaway]: 8 } as const;
/** The stream of a connection's first request. */
const REQUEST_STREAM = 1;
/** The codes of RFC 9113 §7, by their number. */
const CODES = [
  ...['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED'],
  ...['FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM'],
  ...['INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'],
];

export function codeName(code: number): string {
  return CODES[code] ?? String(code);
}

/** Follows the frames of one direction of a connection with a single request; Node does not report what is known here. */
export class Http2Frames {
  /** The type of the first frame. */
  first: number | null = null;
  /** The beginning of the answer, of `performance.now()`; 0 before. */
  headersAt = 0;
  /** Frames that continue the present headers. */
  continuations = 0;
  headerBytes = 0;
  dataBytes = 0;
  emptyFrames = 0;
  hasPush = false;
  /** The codes of frames that end the request, or the connection. */
  reset: number | null = null;
  goaway: number | null = null;
  /** True where the request, or the answer, is complete. */
  isEnded = false;
  readonly #frame = Buffer.alloc(HEADER_BYTES);
  readonly #start = Buffer.alloc(CODE_END[FRAMES.goaway]);
  #frameBytes = 0;
  #startBytes = 0;
  #left = 0;
  #endsWithHeaders = false;

  /** @param skipped bytes before the first frame */
  constructor(private skipped = 0) {}

  /** @returns how many of these bytes come before the end of the request, or of the answer */
  read(chunk: Buffer): number {
    let at = Math.min(this.skipped, chunk.length);
    this.skipped -= at;
    let used = this.isEnded ? 0 : chunk.length;
    while (at < chunk.length) {
      if (this.#frameBytes < HEADER_BYTES) {
        this.#frame[this.#frameBytes++] = chunk[at++]!;
        if (this.#frameBytes < HEADER_BYTES) continue;
        this.#begin();
      } else {
        const size = Math.min(this.#left, chunk.length - at);
        if (this.#startBytes < this.#start.length)
          this.#startBytes += chunk.copy(this.#start, this.#startBytes, at, at + size);
        if (this.#type === FRAMES.data && this.#isOfRequest) this.dataBytes += size;
        this.#left -= size;
        at += size;
      }
      if (this.#left > 0) continue;
      const wasEnded = this.isEnded;
      this.#end();
      if (this.isEnded && !wasEnded) used = at;
    }
    return used;
  }

  get #type(): number {
    return this.#frame[3]!;
  }

  get #isOfRequest(): boolean {
    return this.#frame.readUInt32BE(5) === REQUEST_STREAM;
  }

  #begin(): void {
    const type = this.#type;
    this.#left = this.#frame.readUIntBE(0, 3);
    this.#startBytes = 0;
    this.first ??= type;
    if (type === FRAMES.push) this.hasPush = true;
    if (!this.#isOfRequest) return;
    if (type === FRAMES.data && this.#left === 0) this.emptyFrames++;
    if (type === FRAMES.headers) {
      this.headersAt ||= performance.now();
      this.continuations = 0;
      this.headerBytes = 0;
    }
    if (type === FRAMES.continuation) this.continuations++;
    if (type === FRAMES.headers || type === FRAMES.continuation) this.headerBytes += this.#left;
  }

  #end(): void {
    this.#frameBytes = 0;
    const type = this.#type;
    if (type === FRAMES.goaway && this.#startBytes === CODE_END[type]) this.goaway ??= this.#start.readUInt32BE(4);
    if (!this.#isOfRequest) return;
    if (type === FRAMES.reset && this.#startBytes >= CODE_END[type]) this.reset ??= this.#start.readUInt32BE(0);
    const flags = this.#frame[4]!;
    if (type === FRAMES.headers) this.#endsWithHeaders = (flags & END_STREAM) !== 0;
    if (type === FRAMES.headers || type === FRAMES.continuation)
      this.isEnded ||= this.#endsWithHeaders && (flags & END_HEADERS) !== 0;
    if (type === FRAMES.data) this.isEnded ||= (flags & END_STREAM) !== 0;
  }
}
