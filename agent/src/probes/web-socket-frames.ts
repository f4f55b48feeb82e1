import { isUtf8 } from 'node:buffer';

/** Something that a server sent over a WebSocket; `why` completes a sentence. */
export type SocketEvent =
  | { kind: 'message'; bytes: Buffer }
  | { kind: 'ping'; bytes: Buffer }
  | { kind: 'close'; code: number | null }
  | { kind: 'violation'; why: string };

const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const KNOWN = new Set<number>(Object.values(OPCODES));
const MOST_CONTROL_BYTES = 125;

interface Frame {
  opcode: number;
  isFinal: boolean;
  payload: Buffer;
  /** The next frame begins here. */
  end: number;
}

/** Reads the frames of a server (RFC 6455 §5.2) from all bytes that it has sent, and makes messages of them. */
export class SocketReader {
  #at = 0;
  #opcode: number | null = null;
  #parts: Buffer[] = [];

  /**
   * The next event; undefined where more bytes are needed.
   * @param bytes all that was received, at each call with more at the end
   */
  next(bytes: Buffer): SocketEvent | undefined {
    for (;;) {
      const frame = readFrame(bytes, this.#at);
      if (frame === undefined) return undefined;
      if (typeof frame === 'string') return violation(frame);
      this.#at = frame.end;
      const event = this.#eventOf(frame);
      if (event) return event;
    }
  }

  #eventOf({ opcode, isFinal, payload }: Frame): SocketEvent | undefined {
    if (opcode === OPCODES.ping) return { kind: 'ping', bytes: payload };
    if (opcode === OPCODES.pong) return undefined;
    if (opcode === OPCODES.close) return closeOf(payload);
    if ((opcode === OPCODES.continuation) === (this.#opcode === null))
      return violation(
        this.#opcode === null
          ? 'a frame continues a message that was not begun'
          : 'a message begins before the last one has ended',
      );
    this.#opcode ??= opcode;
    this.#parts.push(payload);
    if (!isFinal) return undefined;
    const [bytes, isText] = [Buffer.concat(this.#parts), this.#opcode === OPCODES.text];
    this.#parts = [];
    this.#opcode = null;
    return isText && !isUtf8(bytes) ? violation('a text message is not valid UTF-8') : { kind: 'message', bytes };
  }
}

/** @returns why it violates the protocol; undefined where it has not arrived */
function readFrame(bytes: Buffer, at: number): Frame | string | undefined {
  if (bytes.length < at + 2) return undefined;
  const [first, second] = [bytes[at]!, bytes[at + 1]!];
  const opcode = first & 0x0f;
  const isFinal = (first & 0x80) !== 0;
  if ((first & 0x70) !== 0) return 'a frame uses an extension that was not offered';
  if (!KNOWN.has(opcode)) return `a frame has the unknown opcode ${opcode}`;
  if ((second & 0x80) !== 0) return 'a frame of the server is masked';
  const short = second & 0x7f;
  if (opcode >= OPCODES.close && (!isFinal || short > MOST_CONTROL_BYTES))
    return 'a control frame is fragmented, or longer than 125 bytes';
  const start = at + 2 + (short === 127 ? 8 : short === 126 ? 2 : 0);
  if (bytes.length < start) return undefined;
  if (short === 127 && bytes[at + 2]! > 0x7f) return 'the length of a frame is negative';
  const length =
    short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short === 126 ? bytes.readUInt16BE(at + 2) : short;
  const end = start + length;
  return bytes.length < end ? undefined : { opcode, isFinal, payload: bytes.subarray(start, end), end };
}

function closeOf(payload: Buffer): SocketEvent {
  if (payload.length === 0) return { kind: 'close', code: null };
  const code = payload.length === 1 ? 0 : payload.readUInt16BE(0);
  const isAllowed =
    (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code < 5000);
  if (!isAllowed || !isUtf8(payload.subarray(2))) return violation('its close frame has no valid code and reason');
  return { kind: 'close', code };
}

function violation(why: string): SocketEvent {
  return { kind: 'violation', why };
}

/**
 * A frame of a client with a whole message, masked as clients have to (RFC 6455 §5.3).
 * @param mask four bytes that cannot be foreseen
 */
export function clientFrame(kind: 'text' | 'binary' | 'pong' | 'close', payload: Buffer, mask: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length > 0xffff ? 10 : length > MOST_CONTROL_BYTES ? 4 : 2);
  head[0] = 0x80 | OPCODES[kind];
  head[1] = 0x80 | (head.length === 2 ? length : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const masked = Buffer.from(payload);
  for (let index = 0; index < length; index++) masked[index]! ^= mask[index % 4]!;
  return Buffer.concat([head, mask, masked]);
}
