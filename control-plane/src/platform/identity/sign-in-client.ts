import { createHash, randomBytes } from 'node:crypto';
import { isSameSecret } from './is-same-secret.js';
import { errors, type JWTPayload } from 'jose';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Logger } from 'pino';
import { type IssuerEndpoints, postForm } from './issuer-client.js';
import { isSubject, type TokenVerifier } from './token-verifier.js';
import type { Profile } from './verified-token.js';
import { ALGORITHMS, SKEW_SECONDS, verifyByKeys } from './verify-by-keys.js';

/** This service as a client of the OpenID provider, for people who sign in with a browser. */
export interface SignInClientOptions {
  issuer: string;
  /** Of the access tokens that this service takes, so that a browser and an API client are the same user. */
  audience: string;
  clientId: string;
  /** null for a public client. */
  clientSecret: string | null;
  /** Requested in addition to those of OpenID Connect: some providers choose the audience by them. */
  scopes: readonly string[];
  redirectUri: string;
  /** Where the provider leads a browser after its sign-out. */
  signedOutUri: string;
  verifier: TokenVerifier;
  /** Under which principals of this issuer are filed; default `issuer`. */
  principalIssuer?: string;
  /** Where this process reaches the token endpoint, if not by its published address. */
  tokenEndpoint?: string;
  clock: Clock;
  logger: Logger;
}

/** What binds the answer of the provider to the request; it stays on this side. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636 §4.1). */
  codeVerifier: string;
}

export interface SignedInPrincipal {
  issuer: string;
  subject: string;
  clientId: string;
  /** Identifies the ID token; a digest. */
  id: string;
  issuedAtMs: number | null;
  profile: Profile;
  idToken: string;
  askProfile(): Promise<Profile | null>;
}

export interface SignInClient {
  /**
   * Begins an authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
   * @returns where to send the browser, and what `finish` needs
   * @throws Fault `unavailable` while the provider cannot be reached
   */
  begin(): Promise<{ location: string; pending: PendingSignIn }>;
  /**
   * Ends it with the parameters that the provider sent the browser back with.
   * @throws SignInRefused; Fault `unavailable` while the provider cannot be reached
   */
  finish(pending: PendingSignIn, answer: URLSearchParams): Promise<SignedInPrincipal>;
  /** Where a browser signs out at the provider; null where the provider has no such place. */
  signOutLocation(idToken: string | null): Promise<string | null>;
}

/**
 * `cancelled`: by the person or the provider. `mismatch`: the answer belongs to another request. `invalid`: the tokens are not
 * right. `not_admitted`: this installation does not admit the person.
 */
export type RefusalReason = 'cancelled' | 'mismatch' | 'invalid' | 'not_admitted';

/** A sign-in that ends without a session. The message is for the person. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  constructor(
    readonly reason: RefusalReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const OPENID_SCOPES = ['openid', 'profile', 'email'];
const SECRET_BYTES = 32;
/** Of an error code or description of the provider, as it is logged. */
const MAX_LOGGED = 300;

export function createSignInClient(options: SignInClientOptions): SignInClient {
  const { issuer, audience, clientId, clientSecret, redirectUri, verifier, clock, logger } = options;
  const { keys } = verifier;

  /** @throws Fault `unavailable` */
  async function endpoints(): Promise<IssuerEndpoints> {
    await keys.current();
    return keys.endpoints()!;
  }

  async function requestTokens(code: string, codeVerifier: string): Promise<Record<string, unknown>> {
    const { tokenEndpoint, tokenAuthMethods } = await endpoints();
    const url = options.tokenEndpoint ?? tokenEndpoint;
    if (url === null) throw new SignInRefused('invalid', 'The OpenID provider has no token endpoint.');
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const byHeader = clientSecret !== null && tokenAuthMethods.includes('client_secret_basic');
    const answer = await postForm(
      url,
      {
        ...fields,
        ...(byHeader ? {} : { client_id: clientId }),
        ...(byHeader || clientSecret === null ? {} : { client_secret: clientSecret }),
      },
      byHeader ? { authorization: basicCredentials(clientId, clientSecret) } : {},
    ).catch((error: unknown) => {
      logger.warn({ err: error, issuer }, 'the token endpoint of the OpenID provider does not answer');
      throw new Fault('unavailable', 'The OpenID provider does not answer right now; try again shortly.', [], 10);
    });
    if (answer.status === 200) return answer.body;
    const { error, error_description: description } = answer.body;
    logger.warn(
      { issuer, status: answer.status, error: logged(error), description: logged(description) },
      'the OpenID provider refused the code of a sign-in',
    );
    throw new SignInRefused('invalid', 'The OpenID provider did not accept this sign-in. Sign in again.');
  }

  async function verifyIdToken(idToken: unknown, nonce: string): Promise<JWTPayload & { sub: string }> {
    if (typeof idToken !== 'string') throw wrongToken('there is none');
    const payload = await verifyByKeys(keys, idToken, {
      algorithms: ALGORITHMS,
      issuer,
      audience: clientId,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'iat', 'sub'],
    }).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? wrongToken(error.message) : error;
    });
    if (payload === 'no key') throw wrongToken('it is not signed by a key of the provider');
    if (typeof payload['nonce'] !== 'string' || !isSameSecret(payload['nonce'], nonce))
      throw wrongToken('its nonce is another one');
    // OpenID Connect Core §3.1.3.7: with several audiences, `azp` names the client.
    const azp = payload['azp'];
    if ((Array.isArray(payload.aud) && payload.aud.length > 1) || azp !== undefined) {
      if (azp !== clientId) throw wrongToken('it was issued to another client');
    }
    if (!isSubject(payload.sub)) throw wrongToken('its subject is not right');
    return { ...payload, sub: payload.sub };
  }

  function wrongToken(why: string): SignInRefused {
    logger.warn({ issuer, reason: why }, 'the ID token of a sign-in is not right');
    return new SignInRefused('invalid', 'The answer of the OpenID provider is not right. Sign in again.');
  }

  /**
   * The subject that API calls of this person have: providers such as Entra ID give a person another subject for each
   * client, so the one of the access token counts where this service takes that token.
   */
  async function subjectOf(accessToken: unknown, idSubject: string): Promise<string> {
    if (typeof accessToken !== 'string') return idSubject;
    try {
      return (await verifier.verify(accessToken)).subject;
    } catch (error) {
      if (error instanceof Fault && error.code === 'invalid_token') return idSubject;
      throw error;
    }
  }

  return {
    async begin() {
      const { authorizationEndpoint } = await endpoints();
      if (authorizationEndpoint === null)
        throw new Fault('unavailable', 'The OpenID provider names no authorization endpoint.', [], 60);
      const pending = { state: randomText(), nonce: randomText(), codeVerifier: randomText() };
      const location = new URL(authorizationEndpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: [...new Set([...OPENID_SCOPES, ...options.scopes])].join(' '),
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
        // Auth0 chooses the audience by the one, RFC 8707 by the other, which must be an absolute URI.
        audience,
        ...(/^(?:https?:\/\/|urn:)/.test(audience) ? { resource: audience } : {}),
      };
      for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
      return { location: location.href, pending };
    },

    async finish(pending, answer) {
      if (!isSameSecret(answer.get('state') ?? '', pending.state))
        throw new SignInRefused('mismatch', 'This sign-in was not started in this browser. Sign in again.');
      const { namesIssuer } = await endpoints();
      const named = answer.get('iss');
      if (named === null ? namesIssuer : named !== issuer)
        throw new SignInRefused('mismatch', 'This sign-in is an answer of another provider. Sign in again.');
      const error = answer.get('error');
      if (error !== null) {
        logger.info(
          { issuer, error: logged(error), description: logged(answer.get('error_description')) },
          'the OpenID provider ended a sign-in',
        );
        throw new SignInRefused(
          'cancelled',
          error === 'access_denied'
            ? 'You cancelled the sign-in.'
            : 'The OpenID provider ended the sign-in. Try again.',
        );
      }
      const code = answer.get('code');
      if (code === null || code === '') throw new SignInRefused('mismatch', 'This sign-in has no code. Sign in again.');
      const tokens = await requestTokens(code, pending.codeVerifier);
      const claims = await verifyIdToken(tokens['id_token'], pending.nonce);
      const accessToken = tokens['access_token'];
      const subject = await subjectOf(accessToken, claims.sub);
      const idToken = tokens['id_token'] as string;
      return {
        issuer: options.principalIssuer ?? issuer,
        subject,
        clientId,
        id: createHash('sha256').update(idToken).digest('base64'),
        issuedAtMs: (claims.iat ?? 0) * 1000,
        profile: verifier.profileOf(claims),
        idToken,
        askProfile: async () => (typeof accessToken === 'string' ? verifier.userinfo(accessToken, claims.sub) : null),
      };
    },

    async signOutLocation(idToken) {
      const endpoint = await endpoints().then(
        ({ endSessionEndpoint }) => endSessionEndpoint,
        () => null,
      );
      if (endpoint === null) return null;
      const location = new URL(endpoint);
      location.searchParams.set('client_id', clientId);
      location.searchParams.set('post_logout_redirect_uri', options.signedOutUri);
      if (idToken !== null) location.searchParams.set('id_token_hint', idToken);
      return location.href;
    },
  };
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they become Basic credentials. */
function basicCredentials(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

function randomText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function logged(text: unknown): string | undefined {
  return typeof text === 'string' ? text.slice(0, MAX_LOGGED) : undefined;
}
