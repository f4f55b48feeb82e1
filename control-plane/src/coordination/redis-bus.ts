import { type Bus, BUS_TOPICS, type BusMessages, type BusTopic, LocalBus } from './bus.js';
import type { RedisConnection } from './redis-connection.js';

interface Envelope {
  from: string;
  message: BusMessages[BusTopic];
}

/** The bus of several processes: handlers in this one hear at once, those in others by Redis. */
export class RedisBus implements Bus {
  private readonly local = new LocalBus();

  constructor(
    private readonly redis: RedisConnection,
    private readonly processId: string,
  ) {
    for (const topic of BUS_TOPICS) {
      redis.subscribe(redis.channel(topic), (envelope) => {
        const { from, message } = envelope as Envelope;
        if (from !== processId) this.local.publish(topic, message);
      });
    }
  }

  get deaf(): boolean {
    return !this.redis.healthy;
  }

  publish<Topic extends BusTopic>(topic: Topic, message: BusMessages[Topic]): void {
    this.local.publish(topic, message);
    const envelope: Envelope = { from: this.processId, message };
    void this.redis.publish(this.redis.channel(topic), envelope);
  }

  subscribe<Topic extends BusTopic>(topic: Topic, handler: (message: BusMessages[Topic]) => void): () => void {
    return this.local.subscribe(topic, handler);
  }

  onHearing(handler: () => void): () => void {
    return this.redis.onHealth(handler);
  }
}
