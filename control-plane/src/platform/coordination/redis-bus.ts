import { z } from 'zod';
import { type Bus, BUS_TOPICS, type BusMessages, type BusTopic, LocalBus } from './bus.js';
import type { RedisConnection } from './redis-connection.js';

interface Envelope<Topic extends BusTopic = BusTopic> {
  from: string;
  message: BusMessages[Topic];
}

/** Others may write to a shared Redis too: what is not of this shape is nobody's message. */
const envelopes: { [Topic in BusTopic]: z.ZodType<Envelope<Topic>> } = {
  'monitor-changed': envelope(z.object({ monitorKey: z.int() })),
  'agent-changed': envelope(z.object({ agentId: z.string() })),
  'region-changed': envelope(z.object({ region: z.string() })),
};

function envelope<Message>(message: z.ZodType<Message>) {
  return z.object({ from: z.string(), message });
}

/** The bus of several processes: handlers in this one hear at once, those in others by Redis. */
export class RedisBus implements Bus {
  private readonly local = new LocalBus();

  constructor(
    private readonly redis: RedisConnection,
    private readonly processId: string,
  ) {
    for (const topic of BUS_TOPICS) {
      const channel = redis.channel(topic);
      redis.subscribe(channel, (received) => {
        const read = envelopes[topic].safeParse(received);
        if (!read.success) redis.logStrange(channel);
        else if (read.data.from !== processId) this.local.publish(topic, read.data.message);
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
