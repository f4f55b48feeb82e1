import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import type { SecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { createHttpApp } from '@watchpost/control-plane/platform/http/create-http-app';
import { createAuthenticator } from '@watchpost/control-plane/platform/identity/authenticator';
import {
  createEmbeddedProvider,
  type EmbeddedProvider,
} from '@watchpost/control-plane/embedded/provider/embedded-provider';
import { createTokenVerifier } from '@watchpost/control-plane/platform/identity/token-verifier';
import { planRoutes } from '@watchpost/control-plane/capabilities/plans/index';
import { createUsers, userRoutes } from '@watchpost/control-plane/capabilities/users/index';
import {
  createPersonalWorkspace,
  deleteWorkspacesOfUser,
  resolveWorkspace,
  seedDemoPrincipals,
  workspaceRoutes,
} from '@watchpost/control-plane/capabilities/workspaces/index';

/** As far as these tests look at it. */
interface ListedWorkspace {
  id: string;
  name: string;
  role: string;
  isPersonal: boolean;
  plan: string;
}

export interface IdentityService {
  url: string;
  provider: EmbeddedProvider;
  /** GET with a bearer token; null: without one. */
  get(path: string, token: string | null): Promise<{ status: number; body: Record<string, unknown> }>;
  /** As `get` of the caller's workspaces. */
  workspaces(token: string): Promise<{ status: number; body: ListedWorkspace[] }>;
  stop(): Promise<void>;
}

/** The HTTP face with the embedded provider, users, workspaces and plans, on a free loopback port. */
/** The address that may make an account. */
export const INVITED = 'ann@example.test';

export async function startIdentityService(deps: {
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
}): Promise<IdentityService> {
  const { db, clock, secretBox } = deps;
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = await createEmbeddedProvider({
    db,
    clock,
    logger,
    secretBox,
    baseUrl: url,
    host: '127.0.0.1',
    production: false,
    isInvited: (email) => Promise.resolve(email.toLowerCase() === INVITED),
  });
  await seedDemoPrincipals({ db, clock }, provider.demo);
  const { issuer, audience, keys, principalIssuer } = provider;
  const verifier = createTokenVerifier({ issuer, audience, keys, principalIssuer, clock, logger, registry });
  const users = createUsers({ db, clock, onUserCreated: createPersonalWorkspace });
  const app = createHttpApp({
    routes: [
      ...userRoutes({
        db,
        clock,
        users,
        onUserLeaving: (tx, userId, author) => deleteWorkspacesOfUser({ clock, listeners: [] }, tx, userId, author),
      }),
      ...workspaceRoutes({
        db,
        clock,
        installation: { createWorkspaces: 'everyone', roleClaim: null, contact: null },
        listeners: [],
        onChecksChanged: () => {},
        requireActionGroups: () => Promise.resolve(),
        reachableAfter: () => Promise.resolve(() => Promise.resolve()),
        accounts: {
          ofMember: () => Promise.resolve({ chatAccounts: [], contactMethods: [] }),
          change: () => ({ apply: () => Promise.resolve(true), sendCodes: () => Promise.resolve() }),
        },
      }),
      ...planRoutes({ db, clock }),
    ],
    authenticate: createAuthenticator(verifier, (verified, ask) => users.signIn(verified, ask)),
    nameCodes: (_, text) => Promise.resolve(text),
    resolveWorkspace: (caller, named) => resolveWorkspace({ db, clock }, caller, named),
    db,
    clock,
    logger,
    registry,
    secretBox,
    config: {
      version: 'test',
      baseUrl: url,
      issuer,
      corsOrigins: [],
      trustProxyCidrs: [],
      securityContacts: [],
      rateLimitPerMinute: 10_000,
    },
    health: { check: () => Promise.resolve({ status: 'ok', checks: {} }) },
    extra: [provider.middleware],
    checkAnswers: true,
  });
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));

  async function get(path: string, token: string | null): Promise<{ status: number; body: unknown }> {
    const response = await fetch(url + path, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
    return { status: response.status, body: await response.json() };
  }

  return {
    url,
    provider,
    async get(path, token) {
      const { status, body } = await get(path, token);
      return { status, body: body as Record<string, unknown> };
    },
    async workspaces(token) {
      const { status, body } = await get('/api/v1/workspaces', token);
      return { status, body: body as ListedWorkspace[] };
    },
    async stop() {
      await provider.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
