import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Http2Frames } from './http2-frames.js';

const FIRST_BYTES = 2 * 1024;
const PREFACE_BYTES = 24;

/**
 * A connection under a session of Node's HTTP/2, with one request. It follows the frames of both sides, because HTTP/2 has frames
 * without end that reach no listener, and Node reports neither what a server did wrong nor, before the server closes, that it has given up.
 */
export class Http2Wire extends Duplex {
  /** The first bytes of the server. */
  first = Buffer.alloc(0);
  readonly received = new Http2Frames();
  readonly sent = new Http2Frames(PREFACE_BYTES);
  receivedBytes = 0;

  /**
   * @param onReceived called before the session has these bytes; the wire may be destroyed in it
   * @param onGivenUp called after the session ended the connection, with its code
   */
  constructor(
    private readonly socket: Socket,
    private readonly onReceived: (wire: Http2Wire) => void,
    private readonly onGivenUp: (code: number) => void,
  ) {
    super();
    // Node writes several times before an answer: the later ones would wait for the acknowledgement of the first.
    socket.setNoDelay(true);
    socket.on('data', this.#onData);
    // A connection that breaks after a complete answer takes nothing from it.
    socket.once('end', () => this.received.isEnded || this.push(null));
    socket.on('error', (error) => this.received.isEnded || this.destroy(error));
    socket.once('close', () => this.received.isEnded || this.destroy());
  }

  readonly #onData = (chunk: Buffer): void => {
    this.receivedBytes += chunk.length;
    if (this.first.length < FIRST_BYTES) this.first = Buffer.concat([this.first, chunk.subarray(0, FIRST_BYTES)]);
    // Nothing that follows a complete answer can change it.
    const used = this.received.read(chunk);
    this.onReceived(this);
    if (!this.destroyed && used > 0 && !this.push(chunk.subarray(0, used))) this.socket.pause();
  };

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk, done);
  }

  /** Parts that are written at once are one record of TLS. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  #send(chunk: Buffer, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
    const before = this.sent.goaway;
    this.sent.read(chunk);
    if (before === null && this.sent.goaway !== null) this.onGivenUp(this.sent.goaway);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
