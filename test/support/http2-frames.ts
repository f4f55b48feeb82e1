import type { Socket } from 'node:net';

// Frames of HTTP/2 (RFC 9113) as bytes, for servers that break its rules.

export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const CONTINUATION = 9;
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field of a header block, as a literal without an index (RFC 7541 §6.2.2). */
export function header(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, ...integer(name.length)]),
    Buffer.from(name),
    Buffer.from(integer(value.length)),
    Buffer.from(value),
  ]);
}

function integer(value: number): number[] {
  if (value < 127) return [value];
  const rest: number[] = [];
  for (let left = value - 127; ; left >>>= 7) {
    if (left < 128) return [127, ...rest, left];
    rest.push((left & 127) | 128);
  }
}

/** Sends a chunk again and again, until the client has gone. */
export function forever(socket: Socket, chunk: Buffer): void {
  if (socket.destroyed) return;
  if (socket.write(chunk)) setImmediate(() => forever(socket, chunk));
  else socket.once('drain', () => forever(socket, chunk));
}
