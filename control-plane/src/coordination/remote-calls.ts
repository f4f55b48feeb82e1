import { newId } from '@watchpost/shared/id';
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
  | { kind: 'call'; id: string; from: string; name: string; question: unknown }
  | { kind: 'answer'; id: string; value: unknown };

/** More that wait at once are refused: somebody asks faster than is answered. */
const MAX_WAITING = 1_000;

/** Calls by publish and subscribe: each process listens on a channel of its own. */
export class RedisCalls implements RemoteCalls {
  private readonly services = new Map<string, (question: unknown) => Promise<unknown>>();
  private readonly waiting = new Map<string, (answer: RemoteAnswer) => void>();

  constructor(
    private readonly redis: RedisConnection,
    private readonly processId: string,
  ) {
    redis.subscribe(this.channelOf(processId), (message) => this.receive(message as CallMessage));
  }

  get reachable(): boolean {
    return this.redis.healthy;
  }

  serve(name: string, handler: (question: unknown) => Promise<unknown>): void {
    this.services.set(name, handler);
  }

  async call(processId: string, name: string, question: unknown, timeoutMs: number): Promise<RemoteAnswer> {
    if (this.waiting.size >= MAX_WAITING) return { kind: 'unreachable' };
    const id = newId(Date.now());
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<RemoteAnswer>((resolve) => {
        this.waiting.set(id, resolve);
        timer = setTimeout(() => resolve({ kind: 'late' }), timeoutMs);
        const message: CallMessage = { kind: 'call', id, from: this.processId, name, question };
        void this.redis.publish(this.channelOf(processId), message).then((heard) => {
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

  private async answer({ id, from, name, question }: Extract<CallMessage, { kind: 'call' }>): Promise<void> {
    const service = this.services.get(name);
    if (!service) return;
    try {
      const answer: CallMessage = { kind: 'answer', id, value: await service(question) };
      await this.redis.publish(this.channelOf(from), answer);
    } catch {
      // Whoever asked waits until its own deadline, as it does where this process dies in mid-answer.
    }
  }

  private channelOf(processId: string): string {
    return this.redis.channel(`process:${processId}`);
  }
}
