import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { Registry } from 'prom-client';
import { metricsOn } from '../../../platform/telemetry/metrics-on.js';
import type { Outlet } from '../../channels/index.js';

/** The metrics of delivery. Channel `mail` is mail that is not an alert. */
export class DeliveryMetrics {
  readonly #attempts;
  readonly #seconds;
  readonly #waiting;
  readonly #oldest;
  readonly #throttled;
  readonly #slots;
  readonly #refused;

  constructor(registry: Registry) {
    const { counter, gauge, histogram } = metricsOn(registry);
    this.#attempts = counter(
      'watchpost_delivery_attempts_total',
      'Delivery attempts, by channel and result (sent, failed, unavailable, rejected, gone).',
      'channel',
      'result',
    );
    this.#seconds = histogram(
      'watchpost_delivery_duration_seconds',
      'Duration of a delivery attempt.',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      'channel',
    );
    this.#waiting = gauge(
      'watchpost_deliveries_waiting',
      'Deliveries and mails that wait to be sent, retries included.',
      'queue',
    );
    this.#oldest = gauge(
      'watchpost_delivery_oldest_seconds',
      'Age of the oldest waiting delivery or mail; 0 if none waits.',
      'queue',
    );
    this.#throttled = counter(
      'watchpost_delivery_throttled_total',
      'How often the throttle of a channel delayed a destination, by channel.',
      'channel',
    );
    this.#slots = gauge(
      'watchpost_delivery_slots_used',
      'Delivery slots in use, by outlet (webhook, sms, alertMail, mail).',
      'outlet',
    );
    this.#refused = counter(
      'watchpost_deliveries_refused_total',
      'Deliveries that failed because too many waited for their destination.',
    );
  }

  refused(count: number): void {
    this.#refused.inc(count);
  }

  slots(outlet: Outlet, running: number): void {
    this.#slots.set({ outlet }, running);
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
