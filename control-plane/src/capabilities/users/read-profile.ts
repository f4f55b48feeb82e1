import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { type Clock, isWithin } from '@watchpost/shared/clock';
import type { Profile } from '../../platform/identity/verified-token.js';

/** A principal whose token was verified, with the profile that the token contains. */
export interface Principal {
  issuer: string;
  subject: string;
  clientId: string | null;
  profile: Profile;
  /** Identifies the token; absent where it has no identifier. */
  id?: string;
  /** When the token was issued, ms since the epoch; null or absent where unknown. */
  issuedAtMs?: number | null;
}

const REMEMBERED_TOKENS = 10_000;
/** For a token without a verified email, the userinfo endpoint is called once and again after this time. */
const ASK_AGAIN_MS = 600_000;

interface ProfileReader {
  /**
   * The profile of a principal, from the token, or from userinfo where the token has no verified email or not the claims that are read.
   * Where neither has the claim of roles, it has no values; null where userinfo does not answer.
   * @returns `asOf`: when the provider reported the email; null where unknown
   */
  read(
    principal: Principal,
    askProfile: () => Promise<Profile | null>,
  ): Promise<{ profile: Profile; asOf: Date | null }>;
}

/** An answer of the userinfo endpoint, and when it was requested. */
interface Asked {
  atMs: number;
  answer: Promise<Profile | null>;
}

export function createProfileReader(clock: Clock): ProfileReader {
  const asked = new BoundedCache<string, Asked>(REMEMBERED_TOKENS);

  /** Concurrent requests with one token share one call. */
  function ask(key: string, askProfile: () => Promise<Profile | null>): Asked {
    const nowMs = clock.now();
    const known = asked.get(key);
    if (known && isWithin(ASK_AGAIN_MS, nowMs, known.atMs)) return known;
    const fresh = { atMs: nowMs, answer: askProfile() };
    asked.set(key, fresh);
    return fresh;
  }

  return {
    async read(principal, askProfile) {
      const { profile, issuer, subject, id } = principal;
      const issuedAtMs = principal.issuedAtMs ?? null;
      const asOf = issuedAtMs === null ? null : new Date(issuedAtMs);
      const isVerified = profile.email !== null && profile.emailVerified;
      if (isMachine(principal)) return { profile: withRoles(profile, []), asOf };
      if (isVerified && profile.hasRequiredClaim !== false && profile.roleValues !== null) return { profile, asOf };
      const { atMs, answer } = ask(id ?? JSON.stringify([issuer, subject]), askProfile);
      const userinfo = await answer;
      const takesEmail = !isVerified && userinfo?.email && (userinfo.emailVerified || profile.email === null);
      const { email, emailVerified } = takesEmail ? userinfo : profile;
      const name = profile.name ?? userinfo?.name ?? null;
      const more = { email, emailVerified, name, ...(userinfo?.hasRequiredClaim && { hasRequiredClaim: true }) };
      return {
        profile: withRoles({ ...profile, ...more }, userinfo && (userinfo.roleValues ?? [])),
        asOf: takesEmail ? new Date(atMs) : asOf,
      };
    },
  };
}

/** @param others what holds where the token lacks the claim of roles */
function withRoles(profile: Profile, others: string[] | null): Profile {
  return profile.roleValues === null ? { ...profile, roleValues: others } : profile;
}

/** Whether the token belongs to a machine client (RFC 9068 §2.2: `sub` is the client's id), which has no profile. */
export function isMachine(principal: Pick<Principal, 'clientId' | 'subject'>): boolean {
  return principal.clientId === principal.subject;
}
