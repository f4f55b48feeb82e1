import { Fault } from '@watchpost/shared/fault';
import type { Caller } from './caller.js';
import type { TokenVerifier } from './token-verifier.js';
import type { Profile, VerifiedToken } from './verified-token.js';

/** Finds the user of a verified principal, or creates it; calls `askProfile` only where the token does not contain the profile. */
export type SignIn = (
  verified: VerifiedToken,
  askProfile: () => Promise<Profile | null>,
) => Promise<{ userId: string; isNew: boolean }>;

/**
 * From an access token to the caller: what the HTTP shell takes as `authenticate`.
 * @throws Fault `invalid_token`, `missing_token`, `unavailable`
 */
export function createAuthenticator(verifier: TokenVerifier, signIn: SignIn): (token: string) => Promise<Caller> {
  return async (token) => {
    if (token === '')
      throw new Fault('missing_token', 'Send an access token in the header Authorization: Bearer <token>.');
    const verified = await verifier.verify(token);
    const { userId, isNew } = await signIn(verified, () => verifier.userinfo(token, verified.subject));
    return {
      userId,
      credential: {
        type: 'token',
        issuer: verified.issuer,
        subject: verified.subject,
        clientId: verified.clientId,
      },
      scopes: verified.scopes,
      ...(isNew ? { isNew } : {}),
    };
  };
}
