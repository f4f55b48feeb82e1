import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import { DELIVERY_CHANNEL } from '@watchpost/control-plane/capabilities/delivery/index';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { listen } from '@watchpost/control-plane/platform/db/listen';
import { startDueWork } from '@watchpost/control-plane/platform/jobs/due-work';
import type { TestApp } from '../../support/app.js';

/** Delivery workers as in production: NOTIFY wakes them, and they poll. */
export function startDelivery(app: TestApp, workers = 1): { stop(): Promise<void> } {
  const logger = pino({ level: 'silent' });
  const { config, db, secretBox, baseUrl } = app;
  const deliveries = Array.from(
    { length: workers },
    () =>
      composeControlPlane({ config, db, clock: systemClock, logger, registry: new Registry(), secretBox, baseUrl })
        .delivery,
  );
  const works = deliveries.map((delivery) => {
    delivery.start();
    return startDueWork({ db, clock: systemClock, logger, dueTasks: delivery.dueTasks });
  });
  const listener = listen({
    hosts: db.hosts,
    channel: DELIVERY_CHANNEL,
    logger,
    onNotify: () => {
      for (const work of works) work.wake();
    },
  });
  return {
    async stop() {
      await Promise.all([listener.stop(), ...works.map((work) => work.stop())]);
      await Promise.all(deliveries.map((delivery) => delivery.stop()));
    },
  };
}
