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
