import type { Profile } from '../../platform/identity/verified-token.js';

/** What is stored about a user of what the OpenID provider says. */
export interface KnownProfile extends Profile {
  /** When the provider said that this is the email; null: unknown. */
  emailAsOf: Date | null;
}

/**
 * What is known after the provider says something. A verified email replaces one that is not, and an older one; an
 * unverified email replaces none that is verified. A name is taken once: users change theirs here.
 * @param asOf when the provider said it; null where it does not say, which counts as now
 * @returns null where nothing is new
 */
export function decideProfile(known: KnownProfile, said: Profile, asOf: Date | null): KnownProfile | null {
  const name = known.name ?? said.name;
  if (replacesEmail(known, said, asOf)) {
    return { email: said.email, emailVerified: said.emailVerified, emailAsOf: asOf, name };
  }
  return name === known.name ? null : { ...known, name };
}

function replacesEmail(known: KnownProfile, said: Profile, asOf: Date | null): boolean {
  if (said.email === null) return false;
  if (known.email === null) return true;
  if (said.emailVerified !== known.emailVerified) return said.emailVerified;
  const isOlder = known.emailAsOf !== null && asOf !== null && asOf < known.emailAsOf;
  return !isOlder && said.email.toLowerCase() !== known.email.toLowerCase();
}
