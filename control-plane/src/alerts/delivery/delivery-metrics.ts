import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SendOutcome } from '../channels/send-outcome.js';

/** What operators see of delivery. Channel `mail` is mail that is no alert's. */
export class DeliveryMetrics {
  readonly #attempts: Counter<'channel' | 'result'>;
  readonly #seconds: Histogram<'channel'>;
  readonly #waiting: Gauge<'queue'>;
  readonly #oldest: Gauge<'queue'>;
  readonly #throttled: Counter<'channel'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'watchpost_delivery_attempts_total',
      help: 'Tries to deliver, by channel and result (sent, failed, rejected, gone).',
      labelNames: ['channel', 'result'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'watchpost_delivery_duration_seconds',
      help: 'How long a try to deliver took.',
      labelNames: ['channel'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#waiting = new Gauge({
      name: 'watchpost_deliveries_waiting_total',
      help: 'Deliveries and mails that wait to be sent, retries among them.',
      labelNames: ['queue'],
      registers,
    });
    this.#oldest = new Gauge({
      name: 'watchpost_delivery_oldest_seconds',
      help: 'How long the oldest delivery or mail that waits has been there; 0 where none waits.',
      labelNames: ['queue'],
      registers,
    });
    this.#throttled = new Counter({
      name: 'watchpost_delivery_throttled_total',
      help: 'How often a destination was spared for a while, by channel.',
      labelNames: ['channel'],
      registers,
    });
  }

  tried(channel: string, result: SendOutcome['kind'], tookMs: number): void {
    this.#attempts.inc({ channel, result });
    this.#seconds.observe({ channel }, tookMs / 1_000);
  }

  throttled(channel: string): void {
    this.#throttled.inc({ channel });
  }

  backlog(
    queue: 'alerts' | 'mail',
    { waiting, oldest }: { waiting: number; oldest: Date | null },
    nowMs: number,
  ): void {
    this.#waiting.set({ queue }, waiting);
    this.#oldest.set({ queue }, oldest ? Math.max(0, nowMs - oldest.getTime()) / 1_000 : 0);
  }
}
