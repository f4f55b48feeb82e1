import type { IncomingMessage } from 'node:http';
import { Fault } from '@watchpost/shared/fault';

/** Largest body taken, bytes. */
export const BODY_LIMIT = 1_048_576;
/** A body announced to be larger than this is not drained: the connection is closed instead. */
const DRAIN_LIMIT = 64 * BODY_LIMIT;

/** The caller hung up before the request was complete: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Reads a request's body, chunked or not, up to the limit. What is beyond it is thrown away unread,
 * so that the caller gets the answer rather than a reset connection.
 * @throws Fault `payload_too_large`; CallerGone
 */
export function readBody(request: IncomingMessage, onUndrainable: () => void): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > BODY_LIMIT) {
    if (announced > DRAIN_LIMIT) onUndrainable();
    request.resume();
    return Promise.reject(tooLarge());
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.resume();
      reject(tooLarge());
    };
    request.on('data', onData);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', () => reject(new CallerGone()));
    request.once('close', () => reject(new CallerGone()));
  });
}

function tooLarge(): Fault {
  return new Fault('payload_too_large', 'Send at most 1 MiB in one request.');
}
