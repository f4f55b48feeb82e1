import { createHash } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  type ProtectedHeaderParameters,
} from 'jose';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { type Clock, isWithin } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { isOtherToken } from './decide-token-kind.js';
import { fetchJson } from './issuer-client.js';
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.js';
import { profileOf, type Profile, type ReadClaims, type VerifiedToken } from './verified-token.js';
import { ALGORITHMS, SKEW_SECONDS, verifyByKeys } from './verify-by-keys.js';

const MAX_TOKEN_LENGTH = 16_384;
const MAX_SUBJECT_LENGTH = 1_000;
const CACHED_TOKENS = 10_000;
const USERINFO_DEADLINE_MS = 3_000;
/** A userinfo endpoint that cannot be reached is not asked for this long, so that callers do not wait for it in turn. */
const USERINFO_PAUSE_MS = 30_000;
/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799;

export interface TokenVerifierOptions {
  issuer: string;
  audience: string;
  /** The URL of a resource of this service: tokens that a provider issued for it by name are good as well (RFC 8707). */
  resource?: string;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Default: those that the issuer publishes. The embedded provider's are in this process. */
  keys?: IssuerKeys;
  /** Whether every access token of the issuer is of type `at+jwt` (RFC 9068); default false: many providers send another or none. */
  demandsType?: boolean;
  /** Under which its principals are filed; default `issuer`. The embedded provider's issuer moves with the port, its users do not. */
  principalIssuer?: string;
  /** The claims that are read beside the standard ones; default none. */
  readClaims?: ReadClaims;
}

export interface TokenVerifier {
  /** The issuer's keys and endpoints, for its ID tokens. */
  readonly keys: IssuerKeys;
  profileOf(claims: Readonly<Record<string, unknown>>): Profile;
  /**
   * Signature, issuer, audience and times of a JWT access token (RFC 9068, without its `typ`).
   * @throws Fault `invalid_token`; `unavailable` where the issuer's keys cannot be fetched
   */
  verify(token: string): Promise<VerifiedToken>;
  /** The profile of this token's principal from the issuer's userinfo endpoint; null where there is no answer in 3 s. */
  userinfo(token: string, subject: string): Promise<Profile | null>;
}

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { issuer, clock, logger, readClaims } = options;
  const ownProfileOf = (claims: Readonly<Record<string, unknown>>) => profileOf(claims, readClaims);
  const metrics = tokenMetrics(options.registry);
  // Checking an ES256 signature costs some 0.2 ms of CPU, a look into this cache 2 µs.
  const verified = new BoundedCache<string, VerifiedToken>(CACHED_TOKENS);
  const keys =
    options.keys ??
    createIssuerKeys({
      issuer,
      clock,
      logger,
      onChange: () => verified.clear(),
      onFetch: (outcome) => metrics.fetches.inc({ outcome }),
    });

  async function verifyAnew(token: string, id: string): Promise<VerifiedToken> {
    requireWorthwhile(token, options);
    const checks: JWTVerifyOptions = {
      algorithms: ALGORITHMS,
      issuer,
      audience: [options.audience, ...(options.resource === undefined ? [] : [options.resource])],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'sub'],
      ...(options.demandsType ? { typ: 'at+jwt' } : {}),
    };
    const payload = await verifyByKeys(keys, token, checks).catch((error: unknown) => {
      throw error instanceof Fault ? error : refusal(error);
    });
    if (payload === 'no key') throw invalid('The access token is not signed by a key of the OpenID provider.');
    return { ...verifiedTokenOf(payload, id, options.principalIssuer ?? issuer), profile: ownProfileOf(payload) };
  }

  let userinfoFailedAtMs = -Infinity;

  return {
    keys,
    profileOf: ownProfileOf,
    async verify(token) {
      const digest = createHash('sha256').update(token).digest('base64');
      // For a known token too: its key may have been withdrawn, or the keys could not be read for too long.
      if (verified.get(digest)) await keys.current();
      const cached = verified.get(digest);
      if (cached && clock.now() < cached.expiresAtMs) {
        metrics.verifications.inc({ outcome: 'cached' });
        return cached;
      }
      try {
        const result = await verifyAnew(token, digest);
        verified.set(digest, result);
        metrics.verifications.inc({ outcome: 'verified' });
        return result;
      } catch (error) {
        metrics.verifications.inc({
          outcome: error instanceof Fault && error.code === 'unavailable' ? 'unavailable' : 'refused',
        });
        throw error;
      }
    },

    async userinfo(token, subject) {
      const endpoint = keys.endpoints()?.userinfoEndpoint;
      if (!endpoint || isWithin(USERINFO_PAUSE_MS, clock.now(), userinfoFailedAtMs)) return null;
      try {
        const claims = await fetchJson(endpoint, {
          headers: { authorization: `Bearer ${token}` },
          deadlineMs: USERINFO_DEADLINE_MS,
        });
        // OpenID Connect Core §5.3.2: an answer about somebody else must not be used.
        return claims['sub'] === subject ? ownProfileOf(claims) : null;
      } catch (error) {
        if (isUnreachable(error)) userinfoFailedAtMs = clock.now();
        logger.debug({ err: error }, 'the userinfo endpoint does not answer for this token');
        return null;
      }
    },
  };
}

/** Whether a request got no answer at all, for example none in time. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** Refuses what can be refused without a key, so that nonsense costs no fetch and no cryptography. */
function requireWorthwhile(token: string, options: TokenVerifierOptions): void {
  if (token.length > MAX_TOKEN_LENGTH) throw invalid('The access token is too long.');
  let header: ProtectedHeaderParameters;
  let claims: JWTPayload;
  try {
    header = decodeProtectedHeader(token);
    claims = decodeJwt(token);
  } catch {
    throw invalid('The access token is not a JWT.');
  }
  if (typeof header.alg !== 'string' || !ALGORITHMS.includes(header.alg)) {
    throw invalid(`The access token must be signed with one of ${ALGORITHMS.join(', ')}.`);
  }
  if (claims.iss !== options.issuer) throw invalid('The access token is of another issuer.');
  // What is decided here from claims without a checked signature can only refuse.
  if (isOtherToken(header, claims))
    throw invalid('This is an ID token or another token of the provider; send the access token.');
}

function refusal(error: unknown): Fault {
  if (error instanceof errors.JWTExpired) return invalid('The access token has expired; get a new one.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalid(
      `The claim ${error.claim} of the access token is ${error.reason === 'missing' ? 'missing' : 'not right'}.`,
    );
  }
  return invalid('The signature of the access token is not right.');
}

function invalid(message: string): Fault {
  return new Fault('invalid_token', message);
}

function verifiedTokenOf(payload: JWTPayload, id: string, issuer: string): Omit<VerifiedToken, 'profile'> {
  if (!isSubject(payload.sub)) throw invalid('The claim sub of the access token is not right.');
  const clientId = payload['client_id'] ?? payload['azp'];
  return {
    id,
    issuedAtMs: issuedAtMsOf(payload),
    issuer,
    subject: payload.sub,
    clientId: typeof clientId === 'string' ? clientId : null,
    scopes: scopesOf(payload),
    expiresAtMs: (payload.exp! + SKEW_SECONDS) * 1000,
  };
}

/** Null also for a moment that no date can hold. */
function issuedAtMsOf({ iat }: JWTPayload): number | null {
  return typeof iat === 'number' && iat >= 0 && iat <= LAST_SECOND ? iat * 1000 : null;
}

/** OpenID Connect Core §2 allows 255 ASCII characters; some providers take more. PostgreSQL keeps no NUL in text. */
export function isSubject(subject: unknown): subject is string {
  return (
    typeof subject === 'string' &&
    subject.trim() !== '' &&
    subject.length <= MAX_SUBJECT_LENGTH &&
    !subject.includes('\0')
  );
}

/** `scope` (RFC 9068 §2.2.3), else `scp`, as some providers have it. */
function scopesOf(payload: JWTPayload): ReadonlySet<string> {
  const claim = payload['scope'] ?? payload['scp'];
  const values: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''));
}

function tokenMetrics(registry: Registry) {
  const { counter } = metricsOn(registry);
  return {
    verifications: counter(
      'watchpost_token_verifications_total',
      'Access tokens looked at, by outcome: cached, verified, refused, unavailable',
      'outcome',
    ),
    fetches: counter(
      'watchpost_issuer_key_fetches_total',
      "Fetches of the OpenID provider's keys, by outcome: ok, failed",
      'outcome',
    ),
  };
}
