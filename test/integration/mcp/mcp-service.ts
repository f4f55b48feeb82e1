import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock, type Clock } from '@watchpost/shared/clock';
import { composeControlPlane, type ControlPlane } from '@watchpost/control-plane/app/compose';
import { readConfig } from '@watchpost/control-plane/config/config';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import type { SecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import { composeIdentity, type Identity } from '@watchpost/control-plane/app/compose-identity';
import { seedDemoPrincipals } from '@watchpost/control-plane/capabilities/workspaces/index';
import type { TestDatabase } from '../../support/database.js';

export interface McpService {
  baseUrl: string;
  plane: ControlPlane;
  identity: Identity;
  registry: Registry;
  stop(): Promise<void>;
}

/** One process of the service in this one, on a database that others may share; with the embedded provider unless `env` names another. */
export async function startMcpService(options: {
  test: TestDatabase;
  secretBox: SecretBox;
  clock?: Clock;
  env?: Readonly<Record<string, string>>;
}): Promise<McpService> {
  const { test, secretBox, clock = systemClock, env = {} } = options;
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const config = readConfig({ DATABASE_URL: test.url, HOST: '127.0.0.1', ...env });
  let handler: (...call: Parameters<Parameters<typeof listenHttp>[0]>) => unknown = () => {};
  const listener = await listenHttp((request, response) => handler(request, response), { host: '127.0.0.1', port: 0 });
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  const platform = { config, db: test.database, clock, logger, registry, secretBox, baseUrl };
  const plane = composeControlPlane(platform);
  const identity = await composeIdentity(platform);
  if (identity.demo) await seedDemoPrincipals({ db: test.database, clock }, identity.demo);
  handler = createServiceApp({ platform, plane, identity, baseUrl, servesAgents: false }).callback();
  return {
    baseUrl,
    plane,
    identity,
    registry,
    async stop() {
      plane.mcp.streams.stop();
      // What does not end by itself is not cut off before the deadline of a test.
      await listener.close(600_000);
      await plane.fleet.stop();
      await identity.stop();
    },
  };
}
