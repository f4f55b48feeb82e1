import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import { DELIVERY_CHANNEL } from '@watchpost/control-plane/capabilities/alerts/index';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { listen } from '@watchpost/control-plane/platform/db/listen';
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
  for (const delivery of deliveries) delivery.start();
  const listener = listen({
    databaseUrl: app.databaseUrl,
    channel: DELIVERY_CHANNEL,
    logger,
    onNotify: () => {
      for (const delivery of deliveries) delivery.wake();
    },
  });
  return {
    async stop() {
      await Promise.all([listener.stop(), ...deliveries.map((delivery) => delivery.stop())]);
    },
  };
}
