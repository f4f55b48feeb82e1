import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions, type LocalJWKSet } from 'jose';
import type { IssuerKeys } from './issuer-keys.js';

/** Asymmetric only: with an HMAC "key" that is public, or none at all, anybody could sign. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** How far the clocks of the issuer and of this process may differ. */
export const SKEW_SECONDS = 60;
/** A token without `kid` is tried on this many of the issuer's keys. */
const MAX_CANDIDATES = 8;

/**
 * Verifies a JWT by the keys of its issuer, and by newer ones where none of those in hand fits.
 * @returns `no key` where the issuer has no key that fits
 * @throws Fault `unavailable` without keys; the errors of jose for a token that is not right
 */
export async function verifyByKeys(
  keys: IssuerKeys,
  token: string,
  checks: JWTVerifyOptions,
): Promise<JWTPayload | 'no key'> {
  const known = await keys.current();
  const payload = await verifyWith(known, token, checks);
  if (payload !== 'no key') return payload;
  const newer = await keys.newerThan(known);
  return newer ? verifyWith(newer, token, checks) : payload;
}

async function verifyWith(
  keySet: LocalJWKSet,
  token: string,
  checks: JWTVerifyOptions,
): Promise<JWTPayload | 'no key'> {
  try {
    return (await jwtVerify(token, keySet, checks)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithEach(error, token, checks);
    if (error instanceof errors.JWKSNoMatchingKey) return 'no key';
    throw error;
  }
}

async function verifyWithEach(
  candidates: errors.JWKSMultipleMatchingKeys,
  token: string,
  checks: JWTVerifyOptions,
): Promise<JWTPayload | 'no key'> {
  let tried = 0;
  for await (const key of candidates) {
    try {
      return (await jwtVerify(token, key, checks)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
    if (++tried >= MAX_CANDIDATES) break;
  }
  return 'no key';
}
