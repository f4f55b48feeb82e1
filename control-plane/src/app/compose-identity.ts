import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '@watchpost/shared/clock';
import type { Config } from '../config/config.js';
import type { Database } from '../platform/db/database.js';
import type { SecretBox } from '../platform/db/secret-box.js';
import type { OAuthEndpoints } from '../platform/http/http-options.js';
import { mirrorAuthorizationServer } from '../platform/identity/authorization-server.js';
import { isInvited } from '../capabilities/workspaces/index.js';
import { createEmbeddedProvider, type EmbeddedProvider } from '../embedded/provider/embedded-provider.js';
import { CONSOLE_CLIENT_ID, CONSOLE_PATHS } from '../embedded/provider/provider-setup.js';
import { discoverIssuer } from '../platform/identity/issuer-client.js';
import { MCP_PATH } from '../platform/mcp/discovery-routes.js';
import { createSignInClient, type SignInClient } from '../platform/identity/sign-in-client.js';
import { createTokenVerifier, type TokenVerifier } from '../platform/identity/token-verifier.js';

export interface IdentityOptions {
  config: Pick<Config, 'host' | 'production' | 'oidc' | 'admission' | 'roleClaim'>;
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  secretBox: SecretBox;
  /** Where callers reach this process, without a slash at the end. */
  baseUrl: string;
  /** Where this process reaches itself; default `baseUrl`. */
  ownUrl?: string;
}

export interface Identity {
  issuer: string;
  verifier: TokenVerifier;
  /** For the API's description; null where the issuer does not publish them, or does not answer. */
  oauthEndpoints: OAuthEndpoints | null;
  /** The provider's metadata, to be passed on; null for the embedded one, which serves its own. */
  authorizationServer: (() => Promise<Record<string, unknown>>) | null;
  /** Of the embedded provider: to be mounted before the routes. */
  middleware: Middleware | null;
  /** Of the embedded provider: the principals that are to exist from the start. */
  demo: EmbeddedProvider['demo'] | null;
  /** The console as a client of the provider; null where it is not registered there. */
  signInClient: SignInClient | null;
  /** How to sign in, for the terminal. */
  describe(): string[];
  stop(): Promise<void>;
}

/**
 * Whose tokens are taken: the configured provider's, or those of the embedded one, which is started for it.
 * @throws Error where the embedded provider must not run, see `createEmbeddedProvider`
 */
export async function composeIdentity(options: IdentityOptions): Promise<Identity> {
  const { config, db, clock, logger, registry, secretBox, baseUrl } = options;
  const readClaims = { required: config.admission.claim, role: config.roleClaim };
  const resource = baseUrl + MCP_PATH;
  if (config.oidc) {
    const { issuer, audience, consoleClient } = config.oidc;
    const verifier = createTokenVerifier({ issuer, audience, resource, readClaims, clock, logger, registry });
    const addresses = addressesOf(baseUrl);
    return {
      issuer,
      verifier,
      signInClient:
        consoleClient &&
        createSignInClient({ issuer, audience, ...consoleClient, ...addresses, verifier, clock, logger }),
      oauthEndpoints: await askEndpoints(issuer, logger),
      authorizationServer: mirrorAuthorizationServer({ issuer, clock, logger }),
      middleware: null,
      demo: null,
      describe: () => [`Access tokens come from ${issuer}`],
      stop: () => Promise.resolve(),
    };
  }
  const { host, production } = config;
  const provider = await createEmbeddedProvider({
    db,
    clock,
    logger,
    secretBox,
    baseUrl,
    host,
    production,
    isInvited: (email) => isInvited(db, email, clock.now()),
  });
  const { issuer, audience, keys, principalIssuer, middleware, demo } = provider;
  const verifier = createTokenVerifier({
    issuer,
    audience,
    resource,
    keys,
    principalIssuer,
    demandsType: true,
    readClaims,
    clock,
    logger,
    registry,
  });
  return {
    issuer,
    verifier,
    signInClient: createSignInClient({
      issuer,
      audience,
      clientId: CONSOLE_CLIENT_ID,
      clientSecret: null,
      scopes: [],
      ...addressesOf(baseUrl),
      tokenEndpoint: `${options.ownUrl ?? baseUrl}/oauth/token`,
      verifier,
      principalIssuer,
      clock,
      logger,
    }),
    oauthEndpoints: { authorization: `${issuer}/oauth/authorize`, token: `${issuer}/oauth/token` },
    authorizationServer: null,
    middleware,
    demo,
    describe: () => provider.describe(),
    stop: () => provider.stop(),
  };
}

function addressesOf(baseUrl: string): { redirectUri: string; signedOutUri: string } {
  return { redirectUri: baseUrl + CONSOLE_PATHS.callback, signedOutUri: baseUrl + CONSOLE_PATHS.signedOut };
}

async function askEndpoints(issuer: string, logger: Logger): Promise<OAuthEndpoints | null> {
  try {
    const { authorizationEndpoint, tokenEndpoint } = await discoverIssuer(issuer);
    return authorizationEndpoint && tokenEndpoint
      ? { authorization: authorizationEndpoint, token: tokenEndpoint }
      : null;
  } catch (error) {
    logger.warn(
      { err: error, issuer },
      'the identity provider does not answer: tokens cannot be checked until it does',
    );
    return null;
  }
}
