import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { composeIdentity } from '@watchpost/control-plane/app/compose-identity';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import { entities, migrations } from '@watchpost/control-plane/app/schema';
import { readBuiltConsole } from '@watchpost/control-plane/capabilities/sign-in/index';
import { EVENT_CHANNEL } from '@watchpost/control-plane/capabilities/events/index';
import { seedDemoPrincipals } from '@watchpost/control-plane/capabilities/workspaces/index';
import { baseUrlOf, readConfig } from '@watchpost/control-plane/config/config';
import { startEmbeddedPostgres } from '@watchpost/control-plane/embedded/postgres/index';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { readOrMakeEncryptionKeys } from '@watchpost/control-plane/platform/db/encryption-key-file';
import { listen } from '@watchpost/control-plane/platform/db/listen';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import { SCOPES } from '@watchpost/control-plane/platform/http/scopes';
import { ROOT } from '../bootstrap/index.mjs';
import { LOCAL_NETWORK } from '../bootstrap/local-network.mjs';
import { createApi } from '../demo/api.mjs';

const LAST_MS = Date.UTC(2200, 0, 1);
/** Nobody is kept waiting while the past is played. */
const UNLIMITED = () => ({
  take: () => Promise.resolve({ allowed: true, limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 1 }),
});

/**
 * The real control plane in this process, on the embedded database of a data folder, at a time that can be moved. It serves
 * REST and the console on loopback; there are no agents, and tasks and jobs run when they are called.
 * @param options.isHandedOver whether `npm start` goes on with the data: links then lead there; default: they lead here
 */
export async function openPlane({ dataDir, env, nowMs, isHandedOver = false }) {
  const closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await open({ dataDir, env, nowMs, isHandedOver }, (closer) => closers.push(closer))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open({ dataDir, env, nowMs, isHandedOver }, onStop) {
  const clock = new ManualClock(nowMs);
  const logger = pino({ level: 'error' }, pino.destination(2));
  const registry = new Registry();
  const config = readConfig({ ...LOCAL_NETWORK, ...env, DATA_DIR: dataDir });
  let handler = (_request, response) => response.writeHead(503).end();
  const listener = await listenHttp((request, response) => handler(request, response), { host: '127.0.0.1', port: 0 });
  onStop(() => listener.close(1_000));
  const ownUrl = `http://127.0.0.1:${listener.port}`;
  const baseUrl = isHandedOver ? baseUrlOf(config, config.port) : ownUrl;

  // A day is many small transactions, and can be played again: none waits for the disk.
  const postgres = await startEmbeddedPostgres({ dataDir, logger, settings: { synchronous_commit: 'off' } });
  onStop(() => postgres.stop());
  const db = await Database.open({ url: postgres.url, poolSize: 8, entities, migrations, logger });
  onStop(() => db.close());
  await migrate(db, logger);
  const secretBox = createSecretBox(await readOrMakeEncryptionKeys(dataDir));
  const platform = { config, db, clock, logger, registry, secretBox, baseUrl };
  const plane = composeControlPlane(platform);
  onStop(() => plane.fleet.stop());
  await plane.partitions.makeAhead();
  plane.events.listenWith((onNotify) =>
    listen({ databaseUrl: postgres.url, channel: EVENT_CHANNEL, logger, onNotify }),
  );
  onStop(() => plane.events.stop());

  const identity = await composeIdentity({ ...platform, ownUrl });
  onStop(() => identity.stop());
  await seedDemoPrincipals({ db, clock }, identity.demo);
  const people = new Map();
  const verifier = {
    ...identity.verifier,
    verify: (token) => (people.has(token) ? Promise.resolve(people.get(token)) : identity.verifier.verify(token)),
  };
  const app = createServiceApp({
    platform,
    plane,
    identity: { ...identity, verifier },
    baseUrl,
    servesAgents: false,
    builtConsole: await readBuiltConsole(join(ROOT, 'control-plane/console/dist')),
    overrides: { createLimiter: UNLIMITED },
  });
  const answer = app.callback();
  handler = (request, response) => {
    // Browsers take the time from it.
    response.setHeader('Date', new Date(clock.now()).toUTCString());
    return answer(request, response);
  };

  /** Calls REST as this principal, who is signed in by the first call. */
  const apiOf = (principal) => {
    const token = `person-${Buffer.from(principal.subject).toString('base64url')}`;
    people.set(token, {
      id: token,
      issuedAtMs: null,
      clientId: null,
      scopes: new Set(Object.keys(SCOPES)),
      expiresAtMs: LAST_MS,
      ...principal,
    });
    return createApi(ownUrl, token);
  };
  return {
    ownUrl,
    config,
    logger,
    clock,
    db,
    plane,
    dataDir,
    /** Of the demo account. */
    api: apiOf(identity.demo.account),
    /** Of somebody with this address. */
    apiOf: (email, name) =>
      apiOf({ issuer: 'urn:watchpost:acme', subject: email, profile: { email, emailVerified: true, name } }),
    describe: () => identity.describe(),
  };
}
