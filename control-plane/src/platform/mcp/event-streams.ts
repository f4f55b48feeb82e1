import type { ServerResponse } from 'node:http';
import { Fault } from '@watchpost/shared/fault';
import { HOUR_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import { StreamPlaces } from '../http/stream-places.js';
import { startPeriodicTask } from '../jobs/periodic-task.js';

/** Well below what proxies and this server's own socket time-out (120 s) take for a dead connection. */
const HEARTBEAT_MS = 25_000;
/** A client opens another one; until then it cannot hold more than its share. */
const LIFETIME_MS = HOUR_MS;
const MOST_STREAMS = 1_000;
const MOST_AN_ADDRESS = 20;
/** What a client that does not read may leave in memory here. */
const MOST_UNREAD_BYTES = 16_384;

interface Stream {
  address: string;
  end(): void;
}

/**
 * The event streams that clients hold open: by GET in a session, where this server never speaks first and all that goes
 * down is a heartbeat, for clients that insist on one; and by `subscriptions/listen`. They are bounded in number, age and
 * unread bytes.
 */
export class EventStreams {
  /** By session: a client that comes back takes the place of its former stream. */
  readonly #streams = new Map<string, Stream>();
  readonly #places = new StreamPlaces(MOST_STREAMS);
  #isStopping = false;

  constructor(
    private readonly gauge: { set(count: number): void },
    private readonly logger: Logger,
    private readonly times = { heartbeatMs: HEARTBEAT_MS, lifetimeMs: LIFETIME_MS },
  ) {}

  /**
   * Opens a stream, and sends its heartbeat; who opens it may write to the response, and state how it ends.
   * @throws Fault unavailable; rate_limited where this address holds enough of them, alone or as many as any other where all are taken
   */
  open(sessionId: string, address: string, response: ServerResponse, end = () => void response.end()): void {
    if (this.#isStopping) throw new Fault('unavailable', 'This process is stopping; connect again in a second.', [], 1);
    this.end(sessionId);
    const ofAddress = [...this.#streams.values()].filter((stream) => stream.address === address).length;
    if (ofAddress >= MOST_AN_ADDRESS || !this.#places.take(address, sessionId, () => this.end(sessionId))) {
      throw new Fault('rate_limited', 'Too many event streams are open; close one, or go on without.', [], 60);
    }
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    const write = () => {
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else response.write(': heartbeat\n\n');
    };
    const heartbeat = startPeriodicTask(
      { name: 'event_stream_heartbeat', everyMs: this.times.heartbeatMs, run: write },
      { logger: this.logger },
    );
    const lifetime = setTimeout(end, this.times.lifetimeMs);
    const stream: Stream = { address, end };
    this.#streams.set(sessionId, stream);
    this.gauge.set(this.#streams.size);
    response.once('close', () => {
      void heartbeat.stop();
      clearTimeout(lifetime);
      if (this.#streams.get(sessionId) === stream) this.end(sessionId);
      this.gauge.set(this.#streams.size);
    });
  }

  end(sessionId: string): void {
    const stream = this.#streams.get(sessionId);
    this.#streams.delete(sessionId);
    this.#places.release(sessionId);
    stream?.end();
  }

  /** Ends them all and takes no more, so that a process that stops need not wait for them. */
  stop(): void {
    this.#isStopping = true;
    for (const sessionId of [...this.#streams.keys()]) this.end(sessionId);
  }
}
