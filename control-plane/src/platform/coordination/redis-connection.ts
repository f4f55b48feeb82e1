import { backoffMs } from '@watchpost/shared/backoff';
import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { startPeriodicTask, type RunningTask } from '../jobs/periodic-task.js';
import { metricsOn } from '@watchpost/shared/metrics-on';

export interface RedisConnectionOptions {
  url: string;
  /** Of this process: it hears its own messages by it. */
  processId: string;
  /** Starts every channel and key: several installations may share one Redis. */
  namespace: string;
  logger: Logger;
  registry: Registry;
  /** Default 1 s. */
  beatMs?: number;
}

const STRANGE_EVERY_MS = 60_000;

type Handler = (message: unknown) => void;

const BEAT_MS = 1_000;
const RECONNECT = { initialMs: 50, maxMs: 1_000, factor: 2 };
/** Longer messages are neither sent nor read; what is meant to be sent is bounded far below. */
export const MAX_MESSAGE_BYTES = 1_000_000;

/**
 * The way to Redis: one connection for commands and one that listens. Whether it works is found out by sending
 * ourselves a message every second, so that a Redis that is silent counts as lost as well as one that is gone.
 */
export class RedisConnection {
  readonly commands: Redis;
  readonly namespace: string;
  private readonly listener: Redis;
  private readonly handlers = new Map<string, Handler>();
  private readonly healthHandlers = new Set<() => void>();
  private readonly logger: Logger;
  private readonly beats: RunningTask;
  private readonly beatChannel: string;
  private unheard = 0;
  private lostReason = '';
  private loggedStrangeAtMs = -Infinity;
  private state: 'starting' | 'healthy' | 'lost' | 'closed' = 'starting';

  constructor({ url, processId, namespace, logger, registry, beatMs = BEAT_MS }: RedisConnectionOptions) {
    this.logger = logger.child({ module: 'redis' });
    this.namespace = namespace;
    const connect: RedisOptions = {
      connectTimeout: 2_000,
      commandTimeout: 1_000,
      maxRetriesPerRequest: 0,
      // A message that cannot be sent now is dropped: what it announces is found by polling.
      enableOfflineQueue: false,
      retryStrategy: (attempt) => backoffMs(attempt, Math.random(), RECONNECT),
    };
    this.commands = new Redis(url, { ...connect, connectionName: 'watchpost' });
    // Its subscriptions are taken up again by ourselves, each time that it is ready.
    this.listener = new Redis(url, { ...connect, autoResubscribe: false, connectionName: 'watchpost listener' });
    for (const client of [this.commands, this.listener]) {
      client.on('error', (error: Error) => (this.lostReason = error.message));
      client.on('close', () => this.lose());
    }
    this.commands.on('ready', () => this.beat());
    this.listener.on('ready', () => this.takeUp());
    this.listener.on('message', (channel: string, text: string) => this.deliver(channel, text));
    metricsOn(registry).shown(
      'watchpost_redis_up',
      '1 while messages between control-plane processes arrive, 0 while changes are found by polling',
      () => (this.healthy ? 1 : 0),
    );
    this.beatChannel = this.channel(`beat:${processId}`);
    this.handlers.set(this.beatChannel, () => this.hear());
    const task = { name: 'check_redis', everyMs: beatMs, initialDelayMs: beatMs, run: () => this.beat() };
    this.beats = startPeriodicTask(task, { logger: this.logger, registry });
  }

  get healthy(): boolean {
    return this.state === 'healthy';
  }

  /** Resolves when Redis answers, or after `ms`: a start without it goes on, and logs that. */
  async started(ms: number): Promise<void> {
    if (this.state === 'starting') {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          this.lose();
          resolve();
        }, ms);
        this.healthHandlers.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** @returns a function that ends the subscription */
  onHealth(handler: () => void): () => void {
    this.healthHandlers.add(handler);
    return () => this.healthHandlers.delete(handler);
  }

  channel(name: string): string {
    return `${this.namespace}:${name}`;
  }

  /** Each channel has one handler. */
  subscribe(channel: string, handler: Handler): void {
    this.handlers.set(channel, handler);
    if (this.listener.status === 'ready') this.ask(this.listener.subscribe(channel));
  }

  /** @returns how many processes it reached; 0 where Redis is away or the message is too long */
  async publish(channel: string, message: unknown): Promise<number> {
    if (this.commands.status !== 'ready') return 0;
    const text = JSON.stringify(message);
    if (Buffer.byteLength(text) > MAX_MESSAGE_BYTES) return 0;
    try {
      return await this.commands.publish(channel, text);
    } catch {
      return 0;
    }
  }

  close(): void {
    void this.beats.stop();
    this.healthHandlers.clear();
    // The connections end because this process does: nobody is warned.
    this.state = 'closed';
    this.commands.disconnect();
    this.listener.disconnect();
  }

  private takeUp(): void {
    this.ask(this.listener.subscribe(...this.handlers.keys()).then(() => this.beat()));
  }

  private ask(work: Promise<unknown>): void {
    // A listener that lacks one channel would be healthy and deaf for it: it starts anew.
    work.catch(() => this.listener.disconnect(true));
  }

  private beat(): void {
    if (this.unheard >= 2) {
      this.unheard = 0;
      this.lostReason = 'no answer in time';
      this.lose();
      for (const client of [this.commands, this.listener]) if (client.status === 'ready') client.disconnect(true);
      return;
    }
    if (this.commands.status !== 'ready' || this.listener.status !== 'ready') return;
    this.unheard++;
    void this.publish(this.beatChannel, {});
  }

  private hear(): void {
    this.unheard = 0;
    // What was received already is handled after the connection was closed.
    if (this.state === 'healthy' || this.state === 'closed') return;
    if (this.state === 'lost') this.logger.info('Redis is back: processes hear each other at once again');
    this.enter('healthy');
  }

  private lose(): void {
    if (this.state === 'lost' || this.state === 'closed') return;
    this.logger.warn(
      { reason: this.lostReason || 'the connection ended' },
      'Redis is lost: what other processes change is found by polling until it is back',
    );
    this.enter('lost');
  }

  private enter(state: 'healthy' | 'lost'): void {
    this.state = state;
    for (const handler of this.healthHandlers) handler();
  }

  private deliver(channel: string, text: string): void {
    const handler = this.handlers.get(channel);
    if (!handler) return;
    let message: unknown;
    try {
      if (text.length > MAX_MESSAGE_BYTES) throw new RangeError('too long');
      message = JSON.parse(text);
    } catch {
      this.logStrange(channel);
      return;
    }
    handler(message);
  }

  /** Others that write to our channels must not fill the log by it. */
  logStrange(channel: string): void {
    const nowMs = performance.now();
    if (nowMs - this.loggedStrangeAtMs < STRANGE_EVERY_MS) return;
    this.loggedStrangeAtMs = nowMs;
    this.logger.warn(
      { channel },
      'a message that no process of this installation sends came by Redis: it is passed over',
    );
  }
}
