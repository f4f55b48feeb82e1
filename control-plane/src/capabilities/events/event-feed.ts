import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../../platform/db/database.js';
import { asBackground } from '../../platform/db/request-context.js';
import type { EventSink, EventStreamAnswer } from '../../platform/http/event-stream.js';
import { StreamPlaces } from '../../platform/http/stream-places.js';
import { Wake } from '../../platform/jobs/wake.js';
import type { EventPosition } from './event-position.js';
import { type EventMetrics, eventMetrics } from './event-metrics.js';
import type { FoundEvents, ReadingPoint } from './event-store.js';
import { readEvents } from './read-events.js';
import { eventText, idText, resetText, retryText } from './event-text.js';
import { streamLeaseStore } from './stream-lease-store.js';

/** In all processes: of one user or API key, and of one user with all API keys of that user. */
const MOST_HELD = { ofPrincipal: 10, ofUser: 50 };
/** Of one process. */
const MOST_STREAMS = 1_000;
/** How often events are read without a notification, because notifications can be lost. */
const POLL_MS = 2_000;
/** The same for a while after an event: of several transactions that run at once, only one notifies. */
const QUICK_POLL_MS = 100;
const QUICK_FOR_MS = 1_000;
/** Changes within this time are read together. */
const COALESCE_MS = 20;
/** A workspace with too many changes at once is read less often: its clients read everything again each time. */
const CALM_MS = 5_000;
const RENEW_MS = 15_000;
/** How long notifications are still listened for when the last stream has ended. */
const LINGER_MS = MINUTE_MS;
/** Clients reconnect after a time between these, so that those of a stopped process do not arrive at once. */
const RETRY_MS = { least: 500, most: 2_500 };
const RETRY_AFTER_SECONDS = 30;

export interface EventFeedOptions {
  db: Database;
  logger: Logger;
  registry: Registry;
}

/** Listens for notifications on a connection of its own. */
export type ListenForEvents = (onNotify: () => void) => { stop(): Promise<void> };

/** Who wants a stream of which workspace, and whose workspace it is. */
interface StreamHolder {
  principalId: string;
  userId: string;
  workspaceId: string;
  ownerId: string;
}

interface Stream {
  id: string;
  channel: Channel;
  sink: EventSink;
  /** Where the client begins or resumes: it is read for this stream alone until it has caught up. Null: it has. */
  resumes: ReadingPoint | null;
}

interface Channel {
  workspaceId: string;
  streams: Set<Stream>;
  /** What its streams have been sent; null before the first reading. */
  position: EventPosition | null;
  /** By the monotonic clock. */
  nextReadMs: number;
}

/**
 * The event streams of one process. One loop reads for all of them what changed, and reads nothing while there are none.
 * Events are hints: their transaction has committed, and the client reads the object.
 */
export class EventFeed {
  readonly #channels = new Map<string, Channel>();
  readonly #streams = new Map<string, Stream>();
  /** By owner of the workspace, as plans and checks are shared. */
  readonly #places = new StreamPlaces(MOST_STREAMS);
  readonly #metrics: EventMetrics;
  readonly #wake = new Wake();
  #loop: Promise<void> | null = null;
  #listen: ListenForEvents | null = null;
  #listener: { stop(): Promise<void> } | null = null;
  #linger: NodeJS.Timeout | undefined;
  #quickUntilMs = 0;
  #renewAtMs = 0;
  #isFailing = false;
  #isStopping = false;

  constructor(private readonly options: EventFeedOptions) {
    this.#metrics = eventMetrics(options.registry);
  }

  /** Has events read as soon as they are notified, while there are streams. Without it they are only polled. */
  listenWith(listen: ListenForEvents): void {
    this.#listen = listen;
  }

  /**
   * Takes the place of a stream, and returns it unopened.
   * @param since null: from now on, so that it brings all that commits after this call, before the stream is opened too. `unknown`: the client resumes from what is no id of an event
   * @throws Fault rate_limited where the principal holds 10 streams, or its user 50; unavailable where
   *   this process holds all that it can, and the owner as many of them as any other
   */
  async admit(
    { principalId, userId, workspaceId, ownerId }: StreamHolder,
    since: EventPosition | 'unknown' | null,
  ): Promise<EventStreamAnswer> {
    if (this.#isStopping) throw new Fault('unavailable', 'This process is stopping; connect again in a second.', [], 1);
    if (!this.#places.hasOneFor(ownerId)) {
      this.#metrics.refused.inc({ reason: 'process' });
      throw new Fault('unavailable', 'This process holds as many event streams as it can; try again shortly.', [], 5);
    }
    const id = newId(Date.now());
    const { db } = this.options;
    // What is no id is as old as can be.
    const from =
      since === 'unknown' ? { atMs: 0, snapshot: '1:1:', history: '' } : (since ?? (await readEvents(db, [])).position);
    const full = await db.transaction((tx) => streamLeaseStore.take(principalId, tx, { id, userId }, MOST_HELD));
    if (full) {
      this.#metrics.refused.inc({ reason: full });
      const held =
        full === 'principal'
          ? `You hold ${MOST_HELD.ofPrincipal} event streams already`
          : `You and your API keys hold ${MOST_HELD.ofUser} event streams already`;
      throw new Fault(
        'rate_limited',
        `${held}; close one, or try again after the seconds that Retry-After names.`,
        [],
        RETRY_AFTER_SECONDS,
      );
    }
    return {
      open: (sink) => this.#open(id, { workspaceId, ownerId }, sink, { since: from, isNew: since === null }),
      heartbeat: () => {
        const stream = this.#streams.get(id);
        return stream && !stream.resumes && stream.channel.position ? idText(stream.channel.position) : '';
      },
      closed: (reason) => {
        this.#metrics.ended.inc({ reason });
        this.#close(id);
      },
    };
  }

  /** Ends all streams and takes no more: their clients connect again, to another process. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ids = [...this.#streams.keys()];
    for (const { sink } of [...this.#streams.values()]) sink.end('server');
    this.#wake.signal();
    await this.#loop;
    await this.#stopListening();
    if (ids.length > 0) await this.options.db.transaction((tx) => streamLeaseStore.release(tx, ids)).catch(() => {});
  }

  #open(
    id: string,
    { workspaceId, ownerId }: Pick<StreamHolder, 'workspaceId' | 'ownerId'>,
    sink: EventSink,
    { since, isNew }: { since: EventPosition; isNew: boolean },
  ): void {
    // The place is taken only now: an admission whose request ends before its answer would never give it back.
    if (this.#isStopping || !this.#places.take(ownerId, id, () => sink.end('displaced'))) {
      sink.end('server');
      return;
    }
    const channel = this.#channels.get(workspaceId) ?? {
      workspaceId,
      streams: new Set(),
      position: null,
      nextReadMs: 0,
    };
    this.#channels.set(workspaceId, channel);
    const stream: Stream = { id, channel, sink, resumes: { workspaceId, since } };
    this.#streams.set(id, stream);
    channel.streams.add(stream);
    this.#metrics.streams.set(this.#streams.size);
    sink.write(retryText(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least)));
    if (isNew) sink.write(idText(since));
    clearTimeout(this.#linger);
    this.#listener ??= this.#listen?.(() => this.#wake.signal()) ?? null;
    // It reads for the streams of all tenants.
    this.#loop ??= asBackground(() => this.#run());
    this.#wake.signal();
  }

  #close(id: string): void {
    const stream = this.#streams.get(id);
    if (stream) {
      this.#streams.delete(id);
      this.#places.release(id);
      const { channel } = stream;
      channel.streams.delete(stream);
      if (channel.streams.size === 0) this.#channels.delete(channel.workspaceId);
      this.#metrics.streams.set(this.#streams.size);
      if (this.#streams.size === 0) this.#rest();
    }
    if (this.#isStopping) return;
    // One that is not released lapses.
    this.options.db
      .transaction((tx) => streamLeaseStore.release(tx, [id]))
      .catch((error: unknown) => this.options.logger.debug({ err: error }, 'the lease of an event stream lapses'));
  }

  /** Ends the loop, and a while later the connection that listens. */
  #rest(): void {
    this.#wake.signal();
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => void this.#stopListening(), LINGER_MS).unref();
  }

  async #stopListening(): Promise<void> {
    clearTimeout(this.#linger);
    const listener = this.#listener;
    this.#listener = null;
    await listener?.stop();
  }

  async #run(): Promise<void> {
    while (this.#streams.size > 0 && !this.#isStopping) {
      await this.#readOnce();
      await this.#renew();
      const isQuick = performance.now() < this.#quickUntilMs;
      await this.#wake.wait(isQuick ? QUICK_POLL_MS : POLL_MS);
      await sleep(COALESCE_MS);
    }
    this.#loop = null;
  }

  /** Reads what is new for the streams that wait, and sends it. */
  async #readOnce(): Promise<void> {
    const nowMs = performance.now();
    const resuming = [...this.#streams.values()].filter(({ resumes }) => resumes !== null);
    const due = [...this.#channels.values()].filter(({ nextReadMs }) => nextReadMs <= nowMs);
    const points = [
      ...due.map(({ workspaceId, position }) => ({ workspaceId, since: position })),
      ...resuming.map(({ resumes }) => resumes!),
    ];
    if (points.length === 0) return;
    try {
      const { position, found } = await readEvents(this.options.db, points);
      this.#metrics.reads.inc({ result: 'ok' });
      if (this.#isFailing) this.options.logger.info('events can be read again');
      this.#isFailing = false;
      for (const [index, channel] of due.entries()) {
        channel.position = position;
        const streams = [...channel.streams].filter(({ resumes }) => resumes === null);
        this.#send(channel, streams, found[index]!, position);
      }
      for (const [index, stream] of resuming.entries()) {
        stream.resumes = null;
        if (this.#streams.has(stream.id)) this.#send(stream.channel, [stream], found[due.length + index]!, position);
      }
      const lags = found
        .slice(0, due.length)
        .flatMap((one) => (one.kind === 'events' && one.oldestMs !== null ? [one.oldestMs] : []));
      if (lags.length > 0) this.#metrics.lag.observe(Math.max(0, position.atMs - Math.min(...lags)) / 1_000);
    } catch (error) {
      this.#metrics.reads.inc({ result: 'failed' });
      // Only the first of a series of failures is logged: a database can be away for an hour.
      if (!this.#isFailing) this.options.logger.warn({ err: error }, 'events cannot be read, it will be tried again');
      this.#isFailing = true;
    }
  }

  #send(channel: Channel, streams: readonly Stream[], found: FoundEvents, position: EventPosition): void {
    if (found.kind === 'events' && found.events.length === 0) return;
    this.#quickUntilMs = performance.now() + QUICK_FOR_MS;
    if (found.kind === 'reset' && found.reason === 'too_many') channel.nextReadMs = performance.now() + CALM_MS;
    const text = found.kind === 'reset' ? resetText(position) : eventText(found.events, position);
    for (const { sink } of streams) {
      sink.write(text);
      if (found.kind === 'reset') this.#metrics.resets.inc({ reason: found.reason });
      else for (const { kind } of found.events) this.#metrics.sent.inc({ event: kind });
    }
  }

  async #renew(): Promise<void> {
    if (performance.now() < this.#renewAtMs) return;
    this.#renewAtMs = performance.now() + RENEW_MS;
    const ids = [...this.#streams.keys()];
    await this.options.db
      .transaction((tx) => streamLeaseStore.renew(tx, ids))
      .catch((error: unknown) => this.options.logger.debug({ err: error }, 'leases of event streams were not renewed'));
  }
}
