import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { JWK } from 'jose';
import type * as ProviderModule from 'oidc-provider';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { Database } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { IssuerEndpoints } from '../../platform/identity/issuer-client.js';
import { fixedKeys, type IssuerKeys } from '../../platform/identity/issuer-keys.js';
import { startPeriodicTask } from '../../platform/jobs/periodic-task.js';
import { CODE_HINT } from './device-pages.js';
import { createInteractions } from './interactions.js';
import { providerConfiguration } from './provider-configuration.js';
import {
  DEMO_CLIENT_ID,
  DEMO_CLIENT_NAME,
  DEMO_EMAIL,
  DEMO_NAME,
  DEVICE_CLIENT_ID,
  EMBEDDED_PRINCIPAL_ISSUER,
  ensureProviderSetup,
} from './provider-setup.js';
import { providerEntityStore } from './provider-store.js';
import { RegisteredClients } from './registered-clients.js';

export const DEFAULT_AUDIENCE = 'watchpost-api';
const PURGE_EVERY_MS = 600_000;
const WELL_KNOWN = new Set(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']);

export interface EmbeddedProviderOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  secretBox: SecretBox;
  /** Where this process is reached, without a slash at the end; the issuer. */
  baseUrl: string;
  /** The address that the process listens on. */
  host: string;
  production: boolean;
  audience?: string;
  /** Whether the address may have an account: the one who reads the mailbox of this machine is the person invited. */
  isInvited(email: string): Promise<boolean>;
}

export interface EmbeddedProvider {
  issuer: string;
  audience: string;
  /** For the token verifier: no need to ask oneself over HTTP. */
  keys: IssuerKeys;
  principalIssuer: string;
  /** Serves `/oauth/…` and the provider's well-known documents, and passes everything else on. */
  middleware: Middleware;
  /** Whose user and workspace are to exist from the start. */
  demo: { account: DemoPrincipal; machineClient: DemoPrincipal };
  /** What a newcomer needs to sign in, for the terminal. */
  describe(): string[];
  stop(): Promise<void>;
}

export interface DemoPrincipal {
  issuer: string;
  subject: string;
  profile: { email: string | null; emailVerified: boolean; name: string | null };
}

/**
 * An OpenID provider in this process, so that the product can be tried without an account anywhere.
 * @throws Error where it would be reachable by others, in production, or with another encryption key
 */
export async function createEmbeddedProvider(options: EmbeddedProviderOptions): Promise<EmbeddedProvider> {
  requireHarmless(options);
  const { db, clock, logger } = options;
  const issuer = options.baseUrl;
  const audience = options.audience ?? DEFAULT_AUDIENCE;
  const setup = await ensureProviderSetup(options, { issuer, audience });
  const { default: Provider, errors } = await importProvider(logger);
  const mayFetchClient = (address: string) => clients.secondsToWait(address) === 0;
  const provider = new Provider(issuer, providerConfiguration({ db, clock, setup, errors, mayFetchClient }));
  provider.on('server_error', (_ctx, error) => logger.error({ err: error }, 'the embedded OpenID provider failed'));
  const callback = provider.callback();
  const clients = new RegisteredClients({ provider, db, clock, logger });
  await clients.adopt();
  const interactions = createInteractions({
    provider,
    db,
    clock,
    formKey: setup.secrets.formKey,
    isInvited: options.isInvited,
  });

  const purge = async (): Promise<void> => {
    while ((await db.read((tx) => providerEntityStore.deleteExpired(tx, clock.now()))) > 0);
  };
  const purging = startPeriodicTask({ name: 'purge_sign_ins', everyMs: PURGE_EVERY_MS, run: purge }, { logger });

  return {
    issuer,
    audience,
    keys: fixedKeys({ keys: [publicPart(setup.secrets.signingKey)] }, endpointsOf(issuer)),
    principalIssuer: EMBEDDED_PRINCIPAL_ISSUER,
    async middleware(ctx, next) {
      if (!ctx.path.startsWith('/oauth/') && !WELL_KNOWN.has(ctx.path)) {
        await next();
        return;
      }
      requireLoopbackName(ctx);
      if (ctx.path.startsWith('/oauth/interaction/')) {
        await interactions(ctx);
        return;
      }
      if (ctx.path === '/oauth/register') clients.requireWithinRate(ctx.req.socket.remoteAddress ?? '');
      nameCodeAsHint(ctx);
      // The library is a Koa application of its own and answers by itself.
      ctx.respond = false;
      await callback(ctx.req, ctx.res);
    },
    demo: {
      account: demoPrincipal(setup.secrets.accountId, { email: DEMO_EMAIL, emailVerified: true, name: DEMO_NAME }),
      machineClient: demoPrincipal(DEMO_CLIENT_ID, { email: null, emailVerified: false, name: DEMO_CLIENT_NAME }),
    },
    describe: () => [
      `demo account: ${DEMO_EMAIL}`,
      `password: ${setup.secrets.password}`,
      `client_id: ${DEMO_CLIENT_ID}`,
      `client_secret: ${setup.secrets.clientSecret}`,
      `device_client_id: ${DEVICE_CLIENT_ID}`,
      `token endpoint: ${issuer}/oauth/token`,
    ],
    stop: () => purging.stop(),
  };
}

function requireHarmless({ production, host, baseUrl }: EmbeddedProviderOptions): void {
  if (production) {
    throw new Error(
      'The embedded OpenID provider is for trying things out and does not run with NODE_ENV=production: set OIDC_ISSUER and OIDC_AUDIENCE.',
    );
  }
  if (!isLoopbackHost(host)) {
    throw new Error(
      `The embedded OpenID provider listens on loopback only, and HOST is ${host}: set HOST=127.0.0.1, or OIDC_ISSUER and OIDC_AUDIENCE of a provider of your own.`,
    );
  }
  if (!isLoopbackHost(new URL(baseUrl).hostname)) {
    throw new Error(
      `The embedded OpenID provider is reached on loopback only, and BASE_URL is ${baseUrl}: set OIDC_ISSUER and OIDC_AUDIENCE of a provider of your own.`,
    );
  }
}

/**
 * A page on the web can have its own name resolved to this machine (DNS rebinding), and would then be of one origin with
 * what is served here: it could register a client and get itself tokens. Its name is in the request.
 */
function requireLoopbackName({ hostname }: Context): void {
  if (isLoopbackHost(hostname)) return;
  throw new Fault(
    'not_found',
    'The embedded OpenID provider is called localhost, 127.0.0.1 or [::1], and nothing else.',
  );
}

/** The library warns on the terminal about every runtime that it is not tested on; we test it on ours. */
async function importProvider(logger: Logger): Promise<typeof ProviderModule> {
  const terminal = globalThis.console;
  const warn = terminal.warn.bind(terminal);
  terminal.warn = (message: unknown) => logger.debug(message);
  try {
    return await import('oidc-provider');
  } finally {
    terminal.warn = warn;
  }
}

/** The library answers `?user_code=` with a page that submits itself by script; ours is filled in and waits. */
function nameCodeAsHint(ctx: Context): void {
  const code = ctx.query['user_code'];
  if (ctx.path !== '/oauth/device' || ctx.method !== 'GET' || typeof code !== 'string') return;
  ctx.req.url = `/oauth/device?${CODE_HINT}=${encodeURIComponent(code)}`;
}

/** Userinfo is not among them: the tokens of this provider contain the profile. */
function endpointsOf(issuer: string): IssuerEndpoints {
  return {
    jwksUri: `${issuer}/oauth/jwks`,
    userinfoEndpoint: null,
    authorizationEndpoint: `${issuer}/oauth/authorize`,
    tokenEndpoint: `${issuer}/oauth/token`,
    endSessionEndpoint: `${issuer}/oauth/logout`,
    namesIssuer: true,
    tokenAuthMethods: ['none'],
  };
}

function publicPart({ d: _private, ...key }: JWK): JWK {
  return key;
}

function demoPrincipal(subject: string, profile: DemoPrincipal['profile']): DemoPrincipal {
  return { issuer: EMBEDDED_PRINCIPAL_ISSUER, subject, profile };
}
