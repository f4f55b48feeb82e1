import { NOT_IN_NAMES } from '@watchpost/shared/clean-line';
import { cutText } from '@watchpost/shared/storable-text';
import { claimValues, hasClaim, type RequiredClaim } from './admission.js';

/** The contents of a token whose signature and claims are valid. */
export interface VerifiedToken {
  /** Identifies the token; a digest. */
  id: string;
  /** ms since the epoch; null where the token has none. */
  issuedAtMs: number | null;
  /** Under which principals of this issuer are filed; the token's `iss`, except for the embedded provider. */
  issuer: string;
  subject: string;
  /** The OAuth client that the token was issued to, where the token names it. */
  clientId: string | null;
  scopes: ReadonlySet<string>;
  /** From then on the token is refused, ms since the epoch, clock skew included. */
  expiresAtMs: number;
  profile: Profile;
}

/** What the issuer reports about the person behind a principal; null where it reports nothing. */
export interface Profile {
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  /** Whether the claims have the one that admission demands; absent where it demands none. */
  hasRequiredClaim?: boolean;
  /** The values of the claim that gives roles; null where the claims have none; absent where no claim does. */
  roleValues?: string[] | null;
}

export interface ReadClaims {
  /** The claim that admission demands. */
  required: RequiredClaim | null;
  /** The claim that gives roles. */
  role: string | null;
}

const MAX_EMAIL = 320;
const MAX_NAME = 200;

/** Reads the standard claims (OpenID Connect Core §5.1), of a token as of a userinfo answer, and those that this installation reads. */
export function profileOf(
  claims: Readonly<Record<string, unknown>>,
  { required, role }: ReadClaims = { required: null, role: null },
): Profile {
  const email = textOf(claims['email']);
  const name = textOf(claims['name']);
  return {
    email: email.includes('@') && email.length <= MAX_EMAIL ? email : null,
    // Some providers send the boolean as text.
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: name === '' ? null : cutText(name, MAX_NAME).replace(NOT_IN_NAMES, ' '),
    ...(required && { hasRequiredClaim: hasClaim(claims, required) }),
    ...(role !== null && { roleValues: claimValues(claims, role) }),
  };
}

/** PostgreSQL keeps no NUL in text. */
function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim.replaceAll('\0', '').trim() : '';
}
