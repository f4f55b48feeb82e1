import type { Profile } from '../../platform/identity/verified-token.js';

/** A principal whose token was verified; `Profile` as far as the token says. */
export interface Principal {
  issuer: string;
  subject: string;
  clientId: string | null;
  profile: Profile;
  /** Tells the token from every other; absent where there is none. */
  id?: string;
  /** When the token was issued, ms since the epoch; null or absent where nobody says. */
  issuedAtMs?: number | null;
}
