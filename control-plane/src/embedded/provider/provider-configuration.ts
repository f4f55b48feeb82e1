import type { ClientMetadata, Configuration, KoaContextWithOIDC, errors as ProviderErrors } from 'oidc-provider';
import type { Clock } from '@watchpost/shared/clock';
import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { Database } from '../../platform/db/database.js';
import { SCOPES } from '../../platform/http/scopes.js';
import { isTrustedUrl } from '../../platform/identity/issuer-client.js';
import { devicePages } from './device-pages.js';
import { createAdapterFactory } from './provider-adapter.js';
import {
  CONSOLE_CLIENT_ID,
  CONSOLE_PATHS,
  DEMO_CLIENT_ID,
  DEMO_CLIENT_NAME,
  DEVICE_CLIENT_ID,
  type ProviderSetup,
} from './provider-setup.js';
import { providerAccountStore } from './provider-store.js';
import { sendErrorPage, sendSignedOutPage, sendSignOutPage } from './sign-out-pages.js';

export const API_SCOPES = Object.keys(SCOPES);
const OPENID_SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/** The resource of a token where the client names none; RFC 8707 requires a URI. */
const DEFAULT_RESOURCE = 'urn:watchpost:api';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Seconds that an access token of the embedded provider lives. */
export const ACCESS_TOKEN_SECONDS = HOUR;

export interface ConfigurationOptions {
  db: Database;
  clock: Clock;
  setup: ProviderSetup;
  errors: typeof ProviderErrors;
  /** True if the document that a request names as its client may be fetched now. */
  mayFetchClient(remoteAddress: string): boolean;
}

/** How the provider library is set up: nothing is left to its defaults that it would warn about. */
export function providerConfiguration({
  db,
  clock,
  setup,
  errors,
  mayFetchClient,
}: ConfigurationOptions): Configuration {
  return {
    adapter: createAdapterFactory(db, clock),
    clients: builtInClients(setup),
    jwks: { keys: [setup.secrets.signingKey] },
    cookies: {
      keys: [setup.secrets.cookieKey],
      long: { httpOnly: true, sameSite: 'lax', path: '/oauth', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      jwks: '/oauth/jwks',
      userinfo: '/oauth/userinfo',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      device_authorization: '/oauth/device/code',
      code_verification: '/oauth/device',
      end_session: '/oauth/logout',
    },
    scopes: [...OPENID_SCOPES, ...API_SCOPES],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    responseTypes: ['code'],
    subjectTypes: ['public'],
    // With these the provider fetches nothing that a client names but its metadata document.
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: 'ES256', application_type: 'native' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    loadExistingGrant,
    interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
    extraClientMetadata: {
      // The library calls the validator once a name here; it sees the whole registration.
      properties: ['watchpost_redirects'],
      validator: (_ctx, _key, _value, metadata) => requireSafeRedirects(metadata, errors),
    },
    async findAccount(_ctx, sub) {
      const account = await db.read((tx) => providerAccountStore.find(tx, sub));
      if (!account) return undefined;
      return {
        accountId: sub,
        claims: () => ({ sub, email: account.email, email_verified: true, name: account.name }),
      };
    },
    async extraTokenClaims(_ctx, token) {
      if (token.kind === 'ClientCredentials') return { name: token.client?.clientName ?? token.clientId };
      const account = token.accountId
        ? await db.read((tx) => providerAccountStore.find(tx, token.accountId))
        : undefined;
      return account ? { email: account.email, email_verified: true, name: account.name } : undefined;
    },
    renderError: (ctx, out) => sendErrorPage(ctx, out),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****', ...devicePages },
      // The library refuses documents at private addresses, and waits for none longer than 2.5 s.
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (ctx) => mayFetchClient(ctx?.req.socket.remoteAddress ?? ''),
      },
      registration: { enabled: true, initialAccessToken: false },
      revocation: {
        enabled: true,
        // A client ends its own tokens only; of others it learns nothing (RFC 7009 §2.1).
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: true, logoutSource: sendSignOutPage, postLogoutSuccessSource: sendSignedOutPage },
      userinfo: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? DEFAULT_RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo(ctx, resource) {
          if (!isOurs(resource, setup))
            throw new errors.InvalidTarget('this provider issues tokens for the Watchpost API only');
          grantAllWhereNothingIsAsked(ctx);
          return {
            scope: API_SCOPES.join(' '),
            audience: setup.audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: MINUTE,
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      DeviceCode: 10 * MINUTE,
      Grant: 90 * DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 30 * DAY,
      Session: 14 * DAY,
    },
  };
}

function builtInClients({ secrets, issuer }: ProviderSetup): ClientMetadata[] {
  return [
    {
      client_id: DEMO_CLIENT_ID,
      client_name: DEMO_CLIENT_NAME,
      client_secret: secrets.clientSecret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
    {
      client_id: DEVICE_CLIENT_ID,
      client_name: 'Watchpost command line',
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      redirect_uris: [],
      response_types: [],
    },
    {
      client_id: CONSOLE_CLIENT_ID,
      client_name: 'the Watchpost console',
      // Of a native client the library asks for consent at each sign-in.
      application_type: 'web',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      redirect_uris: [issuer + CONSOLE_PATHS.callback],
      post_logout_redirect_uris: [issuer + CONSOLE_PATHS.signedOut],
    },
  ];
}

/** The console belongs to this installation: nobody is asked whether it may know who they are. */
async function loadExistingGrant({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider, result } = oidc;
  if (!client || !session) return undefined;
  const grantId = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (known || client.clientId !== CONSOLE_CLIENT_ID || session.accountId === undefined) return known;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile email');
  await grant.save();
  return grant;
}

/** The API by its own name, or by any loopback address that this process is reached at, such as the one of `/mcp`. */
function isOurs(resource: string, { issuer, audience }: ProviderSetup): boolean {
  if (resource === DEFAULT_RESOURCE || resource === audience) return true;
  const [asked, own] = [new URL(resource), new URL(issuer)];
  return (
    asked.origin === own.origin ||
    (asked.protocol === 'http:' && isLoopbackHost(asked.hostname) && asked.port === own.port)
  );
}

/** RFC 6749 §3.3 leaves to the provider what a request without `scope` asks for: here, all that the API has. */
function grantAllWhereNothingIsAsked(ctx: KoaContextWithOIDC): void {
  const { params, route } = ctx.oidc;
  if (!params || params['scope'] !== undefined) return;
  const startsGrant = route !== 'token' || params['grant_type'] === 'client_credentials';
  if (startsGrant) params['scope'] = API_SCOPES.join(' ');
}

/** Codes go to https or to this machine; custom schemes can be claimed by any program on it. */
function requireSafeRedirects(metadata: ClientMetadata, errors: typeof ProviderErrors): void {
  const uris: unknown = metadata.redirect_uris ?? [];
  // It comes before the library's own checks: what has another shape is left to those.
  for (const uri of Array.isArray(uris) ? (uris as unknown[]) : []) {
    if (typeof uri !== 'string' || isTrustedUrl(uri)) continue;
    throw new errors.InvalidRedirectUri('redirect_uris must have https, or http on a loopback address');
  }
}
