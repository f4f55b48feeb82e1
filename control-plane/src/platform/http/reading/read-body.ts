import type { IncomingMessage } from 'node:http';
import { Fault } from '@watchpost/shared/fault';
import { RequestOver } from '../../db/request-context.js';

const KIB = 1_024;
/** Largest body taken, bytes. */
export const BODY_LIMIT = 1_024 * KIB;
/** A body announced to be larger than this is not drained: the connection is closed instead. */
const DRAIN_LIMIT = 64 * BODY_LIMIT;

/** The caller hung up before the request was complete: there is nobody to answer. */
export class CallerGone extends RequestOver {}

/**
 * Reads a request's body, chunked or not, up to the limit. What is beyond it is thrown away unread,
 * so that the caller gets the answer rather than a reset connection.
 * @throws Fault `payload_too_large`; CallerGone
 */
export function readBody(
  request: IncomingMessage,
  onUndrainable: () => void,
  limitBytes = BODY_LIMIT,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes) {
    if (announced > DRAIN_LIMIT) onUndrainable();
    request.resume();
    return Promise.reject(tooLarge(limitBytes));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.resume();
      reject(tooLarge(limitBytes));
    };
    request.on('data', onData);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', () => reject(new CallerGone()));
    request.once('close', () => reject(new CallerGone()));
  });
}

function tooLarge(limitBytes: number): Fault {
  const limit = limitBytes < BODY_LIMIT ? `${limitBytes / KIB} KiB` : `${limitBytes / BODY_LIMIT} MiB`;
  return new Fault('payload_too_large', `Send at most ${limit} in one request.`);
}
