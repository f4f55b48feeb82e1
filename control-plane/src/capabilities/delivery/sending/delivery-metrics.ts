import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { Outlet } from '../../channels/index.js';

/** The metrics of delivery. Channel `mail` is mail that is not an alert. */
export function deliveryMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOn(registry);
  const attempts = counter(
    'watchpost_delivery_attempts_total',
    'Delivery attempts, by channel and result (sent, failed, unavailable, rejected, gone).',
    'channel',
    'result',
  );
  const seconds = histogram(
    'watchpost_delivery_duration_seconds',
    'Duration of a delivery attempt.',
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    'channel',
  );
  const waitingNow = gauge(
    'watchpost_deliveries_waiting',
    'Deliveries and mails that wait to be sent, retries included.',
    'queue',
  );
  const oldestAge = gauge(
    'watchpost_delivery_oldest_seconds',
    'Age of the oldest waiting delivery or mail; 0 if none waits.',
    'queue',
  );
  const throttles = counter(
    'watchpost_delivery_throttled_total',
    'How often the throttle of a channel delayed a destination, by channel.',
    'channel',
  );
  const slotsUsed = gauge(
    'watchpost_delivery_slots_used',
    'Delivery slots in use, by outlet (webhook, sms, alertMail, mail).',
    'outlet',
  );
  const refusals = counter(
    'watchpost_deliveries_refused_total',
    'Deliveries that failed because too many waited for their destination.',
  );
  const waits = gauge(
    'watchpost_notification_waits',
    'What action groups are to be notified of later by their rules: after a delay, within their hours, or again.',
  );
  const overdue = gauge(
    'watchpost_notification_overdue_seconds',
    'Since when the oldest of these is due; 0 if none is.',
  );
  return {
    waits({ waiting, oldest }: { waiting: number; oldest: Date | null }, nowMs: number): void {
      waits.set(waiting);
      overdue.set(oldest ? Math.max(0, nowMs - oldest.getTime()) / 1_000 : 0);
    },

    refused(count: number): void {
      refusals.inc(count);
    },

    slots(outlet: Outlet, running: number): void {
      slotsUsed.set({ outlet }, running);
    },

    tried(channel: string, result: SendOutcome['kind'], tookMs: number): void {
      attempts.inc({ channel, result });
      seconds.observe({ channel }, tookMs / 1_000);
    },

    throttled(channel: string): void {
      throttles.inc({ channel });
    },

    backlog(
      queue: 'alerts' | 'mail',
      { waiting, oldest }: { waiting: number; oldest: Date | null },
      nowMs: number,
    ): void {
      waitingNow.set({ queue }, waiting);
      oldestAge.set({ queue }, oldest ? Math.max(0, nowMs - oldest.getTime()) / 1_000 : 0);
    },
  };
}

export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;
