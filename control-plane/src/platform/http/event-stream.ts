export interface EventSink {
  /** @param text whole events in the format of `text/event-stream`; a client that does not read is cut off */
  write(text: string): void;
  end(reason: 'server' | 'displaced'): void;
}

/**
 * Why a stream ended: the client left, did not read, may no longer read, the server ended it, or its place was given to
 * a holder of fewer streams.
 */
export type StreamEnd = 'client' | 'slow' | 'refused' | 'server' | 'displaced';

/** An answer without an end. The shell sends its headers and heartbeats, and checks again and again that the caller may read. */
export interface EventStreamAnswer {
  /** Called once, when the headers are out. */
  open(sink: EventSink): void;
  /** Whole events or nothing, sent with each heartbeat. */
  heartbeat(): string;
  /** Called once, whether or not the stream was opened. */
  closed(reason: StreamEnd): void;
}

export const EVENT_STREAM = 'text/event-stream';
