import { pino, type DestinationStream } from 'pino';

/** What waits to be written at most, bytes: what is more is dropped. */
const MAX_BACKLOG_BYTES = 1_048_576;

/** Standard output, for a log that may be lost: where it leads to a disk that is full, the agent goes on checking. */
export function logDestination(): DestinationStream {
  const destination = pino.destination({ maxLength: MAX_BACKLOG_BYTES });
  // It is tried again with the next line.
  destination.on('error', () => undefined);
  return destination;
}
