import type { Profile } from '../../platform/identity/verified-token.js';

/** What is stored of the profile that the OpenID provider reports. */
export interface KnownProfile extends Profile {
  /** When the provider reported this email; null where unknown. */
  emailAsOf: Date | null;
}

/**
 * The profile after a report of the provider. A verified email replaces an unverified or older one; an unverified email
 * never replaces a verified one. The name is set only once, because users change theirs here.
 * @param asOf when the provider reported it; null where unknown, which counts as now
 * @returns null where nothing changes
 */
export function decideProfile(known: KnownProfile, reported: Profile, asOf: Date | null): KnownProfile | null {
  const name = known.name ?? reported.name;
  if (replacesEmail(known, reported, asOf)) {
    return { email: reported.email, emailVerified: reported.emailVerified, emailAsOf: asOf, name };
  }
  return name === known.name ? null : { ...known, name };
}

function replacesEmail(known: KnownProfile, reported: Profile, asOf: Date | null): boolean {
  if (reported.email === null) return false;
  if (known.email === null) return true;
  if (reported.emailVerified !== known.emailVerified) return reported.emailVerified;
  const isOlder = known.emailAsOf !== null && asOf !== null && asOf < known.emailAsOf;
  return !isOlder && reported.email.toLowerCase() !== known.email.toLowerCase();
}
