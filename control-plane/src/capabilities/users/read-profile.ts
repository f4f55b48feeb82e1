import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import type { Profile } from '../../platform/identity/verified-token.js';
import type { Principal } from './principal.js';

const REMEMBERED_TOKENS = 10_000;
/** The userinfo endpoint is asked once for a token without a verified email, and again after this long. */
const ASK_AGAIN_MS = 600_000;

interface ProfileReader {
  /**
   * What the provider says of a principal, by the token, or by userinfo where the token has no verified email.
   * @returns `asOf`: when the provider said what the email is; null where nobody knows
   */
  read(
    principal: Principal,
    askProfile: () => Promise<Profile | null>,
  ): Promise<{ profile: Profile; asOf: Date | null }>;
}

/** What userinfo said, and when it was asked. */
interface Asked {
  atMs: number;
  said: Promise<Profile | null>;
}

export function createProfileReader(clock: Clock): ProfileReader {
  const asked = new BoundedCache<string, Asked>(REMEMBERED_TOKENS);

  /** Of requests at once with one token, one asks and all get the answer. */
  function ask(key: string, askProfile: () => Promise<Profile | null>): Asked {
    const nowMs = clock.now();
    const known = asked.get(key);
    if (known && nowMs - known.atMs < ASK_AGAIN_MS) return known;
    const fresh = { atMs: nowMs, said: askProfile() };
    asked.set(key, fresh);
    return fresh;
  }

  return {
    async read(principal, askProfile) {
      const { profile, issuer, subject, id } = principal;
      const issuedAtMs = principal.issuedAtMs ?? null;
      const asOf = issuedAtMs === null ? null : new Date(issuedAtMs);
      const isVerified = profile.email !== null && profile.emailVerified;
      if (isVerified || isMachine(principal)) return { profile, asOf };
      const { atMs, said: answer } = ask(id ?? JSON.stringify([issuer, subject]), askProfile);
      const said = await answer;
      const name = profile.name ?? said?.name ?? null;
      if (said?.email && (said.emailVerified || profile.email === null)) {
        return { profile: { ...said, name }, asOf: new Date(atMs) };
      }
      return { profile: { ...profile, name }, asOf };
    },
  };
}

/** A machine client's token (RFC 9068 §2.2: `sub` is the client's id) has nobody behind it to ask for. */
function isMachine(principal: Principal): boolean {
  return principal.clientId === principal.subject;
}
