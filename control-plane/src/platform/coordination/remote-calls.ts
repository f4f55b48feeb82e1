import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { newId } from '@watchpost/shared/id';
import type { Clock } from '@watchpost/shared/clock';
import { z } from 'zod';
import type { SecretBox } from '../db/secret-box.js';
import type { RedisConnection } from './redis-connection.js';

export type RemoteAnswer =
  | { kind: 'answer'; value: unknown }
  /** Nobody was there to hear it, or Redis is away. */
  | { kind: 'unreachable' }
  | { kind: 'late' };

/** Asks one certain process something, and has it answered. */
export interface RemoteCalls {
  readonly reachable: boolean;
  /** @param handler its answer is sent as JSON; a rejection is nobody's answer, and the caller's wait ends at its deadline */
  serve(name: string, handler: (question: unknown) => Promise<unknown>): void;
  call(processId: string, name: string, question: unknown, timeoutMs: number): Promise<RemoteAnswer>;
}

type CallMessage =
  | { kind: 'call'; id: string; from: string; name: string; question: unknown; untilMs: number }
  | { kind: 'answer'; id: string; value: unknown };

const sealedMessage = z.object({ sealed: z.base64() });

/** More that wait at once are refused: somebody asks faster than is answered. */
const MAX_WAITING = 1_000;
/** Questions that are remembered, so that none is answered twice. */
const REMEMBERED = 10_000;
/** How far the clocks of two processes may differ. */
const SKEW_MS = 60_000;

/**
 * Calls by publish and subscribe: each process listens on a channel of its own. What checks carry may be secret, and
 * answers are trusted: so all of it is sealed, for its channel, under the encryption key that the processes share. Who
 * else is on that Redis can neither read it nor put in something else, nor have a question answered again.
 */
export class RedisCalls implements RemoteCalls {
  private readonly services = new Map<string, (question: unknown) => Promise<unknown>>();
  private readonly waiting = new Map<string, (answer: RemoteAnswer) => void>();
  private readonly answered = new BoundedCache<string, true>(REMEMBERED);

  constructor(
    private readonly redis: RedisConnection,
    private readonly processId: string,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {
    const channel = this.channelOf(processId);
    redis.subscribe(channel, (sealed) => {
      const message = this.open(channel, sealed);
      if (message) this.receive(message);
      else redis.logStrange(channel);
    });
  }

  get reachable(): boolean {
    return this.redis.healthy;
  }

  serve(name: string, handler: (question: unknown) => Promise<unknown>): void {
    this.services.set(name, handler);
  }

  async call(processId: string, name: string, question: unknown, timeoutMs: number): Promise<RemoteAnswer> {
    if (this.waiting.size >= MAX_WAITING) return { kind: 'unreachable' };
    const id = newId(this.clock.now());
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<RemoteAnswer>((resolve) => {
        this.waiting.set(id, resolve);
        timer = setTimeout(() => resolve({ kind: 'late' }), timeoutMs);
        const untilMs = this.clock.now() + timeoutMs;
        const message: CallMessage = { kind: 'call', id, from: this.processId, name, question, untilMs };
        void this.publish(processId, message).then((heard) => {
          if (heard === 0) resolve({ kind: 'unreachable' });
        });
      });
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  private receive(message: CallMessage): void {
    if (message.kind === 'answer') this.waiting.get(message.id)?.({ kind: 'answer', value: message.value });
    else void this.answer(message);
  }

  private async answer({ id, from, name, question, untilMs }: Extract<CallMessage, { kind: 'call' }>): Promise<void> {
    const service = this.services.get(name);
    if (!service || untilMs + SKEW_MS < this.clock.now() || this.answered.get(id)) return;
    this.answered.set(id, true);
    try {
      await this.publish(from, { kind: 'answer', id, value: await service(question) });
    } catch {
      // The caller waits until its own deadline, as it does where this process ends before it answers.
    }
  }

  private publish(processId: string, message: CallMessage): Promise<number> {
    const channel = this.channelOf(processId);
    const sealed = this.secretBox.seal(JSON.stringify(message), channel);
    return this.redis.publish(channel, { sealed: sealed.toString('base64') });
  }

  /** @returns undefined for what no process of this installation sent to this channel */
  private open(channel: string, message: unknown): CallMessage | undefined {
    const read = sealedMessage.safeParse(message);
    if (!read.success) return undefined;
    try {
      const plain = this.secretBox.open(Buffer.from(read.data.sealed, 'base64'), channel);
      return JSON.parse(plain.toString('utf8')) as CallMessage;
    } catch {
      return undefined;
    }
  }

  private channelOf(processId: string): string {
    return this.redis.channel(`process:${processId}`);
  }
}
