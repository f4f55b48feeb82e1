import pino from 'pino';
import { Registry } from 'prom-client';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { composeIdentity } from '@watchpost/control-plane/app/compose-identity';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import { EVENT_CHANNEL } from '@watchpost/control-plane/capabilities/events/index';
import { listen } from '@watchpost/control-plane/platform/db/listen';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import type { TestApp } from '../../support/app.js';

export interface SecondProcess {
  baseUrl: string;
  registry: Registry;
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  /** As at a shutdown. */
  stop(): Promise<void>;
}

/** Another instance of the service on the database of `app`, with memory of its own. */
export async function startSecondProcess(app: TestApp): Promise<SecondProcess> {
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const { db, clock, config, secretBox } = app;
  let handler: (...call: Parameters<Parameters<typeof listenHttp>[0]>) => unknown = () => {};
  const listener = await listenHttp((request, response) => handler(request, response), { host: '127.0.0.1', port: 0 });
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  const platform = { config, db, clock, logger, registry, secretBox, baseUrl };
  const plane = composeControlPlane(platform);
  plane.events.listenWith((onNotify) => listen({ hosts: db.hosts, channel: EVENT_CHANNEL, logger, onNotify }));
  const identity = await composeIdentity(platform);
  handler = createServiceApp({ platform, plane, identity, baseUrl, servesAgents: false }).callback();
  return {
    baseUrl,
    registry,
    async metric(name, labels = {}) {
      const { values } = (await registry.getSingleMetric(name)!.get()) as {
        values: { value: number; labels: Record<string, unknown>; metricName?: string }[];
      };
      return values
        .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0);
    },
    async stop() {
      await plane.events.stop();
      // What does not end by itself is not cut off before the deadline of a test.
      await listener.close(600_000);
      await plane.fleet.stop();
      await identity.stop();
    },
  };
}
