import { VERSION } from '@watchpost/shared/build';
import type Koa from 'koa';
import { composeConsole } from './compose-console.js';
import type { ControlPlane } from './compose.js';
import type { Platform } from './platform.js';
import { createMcpEndpoint } from './create-mcp-endpoint.js';
import { createHttpApp } from '../platform/http/create-http-app.js';
import type { HttpOptions } from '../platform/http/http-options.js';
import { createAuthenticator } from '../platform/identity/authenticator.js';
import type { Caller } from '../platform/identity/caller.js';
import type { Identity } from './compose-identity.js';
import { discoveryRoutes } from '../platform/mcp/discovery-routes.js';
import { looksLikeApiKey } from '../capabilities/api-keys/index.js';
import { type BuiltConsole, consoleCookies, createSessionAuthenticator } from '../capabilities/sign-in/index.js';
import { regionTroubles } from '../capabilities/verdicts/index.js';
import { createHealth, type HealthParts } from '../platform/telemetry/health.js';
import { SuspendedUsers } from '../capabilities/users/index.js';
import { locationNamer } from '../capabilities/locations/index.js';
import { resolveWorkspace } from '../capabilities/workspaces/index.js';

export interface ServiceAppOptions {
  platform: Platform;
  plane: ControlPlane;
  identity: Pick<
    Identity,
    'issuer' | 'verifier' | 'oauthEndpoints' | 'authorizationServer' | 'middleware' | 'signInClient'
  >;
  /** Where callers reach this process, without a slash at the end. */
  baseUrl: string;
  /** Whether this process serves agents, so that its health includes them. */
  servesAgents: boolean;
  /** Default: the console was not built. */
  builtConsole?: BuiltConsole | null;
  /** What a test changes of the shell. */
  overrides?: Pick<HttpOptions, 'checkAnswers' | 'createLimiter' | 'deadlineMs'>;
}

export function createServiceApp({
  platform,
  plane,
  identity,
  baseUrl,
  servesAgents,
  builtConsole = null,
  overrides,
}: ServiceAppOptions): Koa {
  const { config, db, clock, logger, registry, secretBox, coordination } = platform;
  const { issuer, verifier, oauthEndpoints, authorizationServer, middleware } = identity;
  const { corsOrigins, trustProxyCidrs, rateLimitPerMinute, securityContacts } = config;
  const suspended = new SuspendedUsers({ db, clock });
  const authenticateToken = createAuthenticator(verifier, async (verified, askProfile) => {
    const signedIn = await plane.users.signIn(verified, askProfile);
    await suspended.refuse(signedIn.userId);
    return signedIn;
  });
  const authenticateKey = async (key: string): Promise<Caller> => {
    const caller = await plane.apiKeys.verify(key);
    await suspended.refuse(caller.userId);
    return caller;
  };
  return createHttpApp({
    routes: [
      ...plane.routes,
      ...discoveryRoutes({ version: VERSION, baseUrl, issuer, authorizationServer, tools: plane.mcp.tools }),
    ],
    authenticate: (token) => (looksLikeApiKey(token) ? authenticateKey(token) : authenticateToken(token)),
    sessions: {
      cookieName: consoleCookies(baseUrl).session,
      authenticate: createSessionAuthenticator(plane.consoleSessions, (userId) => suspended.refuse(userId)),
    },
    nameCodes: locationNamer({ db }),
    resolveWorkspace: (caller, named) => resolveWorkspace({ db, clock }, caller, named),
    db,
    clock,
    logger,
    registry,
    secretBox,
    config: {
      version: VERSION,
      baseUrl,
      issuer,
      homePath: '/console',
      corsOrigins,
      trustProxyCidrs,
      securityContacts,
      rateLimitPerMinute,
      ...(oauthEndpoints ? { oauthEndpoints } : {}),
    },
    health: healthOf({
      platform,
      plane,
      servesAgents,
      ...(config.oidc ? { isProviderReachable: () => verifier.keys.isReachable() } : {}),
    }),
    ...(coordination ? { createLimiter: coordination.createLimiter } : {}),
    extra: [
      plane.pings.middleware,
      ...(middleware ? [middleware] : []),
      composeConsole({ platform, plane, identity, suspended, version: VERSION, baseUrl, built: builtConsole }),
    ],
    endpoint: createMcpEndpoint(platform, plane, { baseUrl, version: VERSION }),
    ...overrides,
  });
}

/** The health of a process, whatever its roles are. */
export function healthOf({
  platform: { db, clock, coordination, isStopping },
  plane,
  servesAgents,
  isProviderReachable,
}: Pick<ServiceAppOptions, 'platform' | 'plane' | 'servesAgents'> &
  Pick<HealthParts, 'isProviderReachable'>): ReturnType<typeof createHealth> {
  return createHealth({
    db,
    redisHealthy: coordination?.redisHealthy ?? null,
    agents: servesAgents ? () => plane.fleet.countConnected() : null,
    regionTroubles: () => regionTroubles({ db, clock }),
    ...(isProviderReachable ? { isProviderReachable } : {}),
    ...(isStopping ? { isStopping } : {}),
  });
}
