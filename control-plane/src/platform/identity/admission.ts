import { Fault } from '@watchpost/shared/fault';

/** Whom of the provider's people an installation admits. */
export interface AdmissionRules {
  /** The domains of verified email addresses, in lower case; empty: any. Machine clients have no address and need none. */
  domains: readonly string[];
  /** A claim with this value, or with a list that has it; null: none. */
  claim: RequiredClaim | null;
  /** Whom those ask who are refused, as a part of a sentence. */
  contact: string | null;
}

export interface RequiredClaim {
  name: string;
  value: string;
}

/** More than a token can hold. */
const MAX_VALUES = 5_000;

/** The part of a profile on which admission depends. */
interface Claimant {
  email: string | null;
  emailVerified: boolean;
  hasRequiredClaim?: boolean;
}

/**
 * Refuses a principal that the rules do not admit.
 * @param isMachine whether it is a client of its own, without a person behind it
 * @throws Fault `not_invited`
 */
export function requireAdmitted(
  { domains, claim, contact }: AdmissionRules,
  { email, emailVerified, hasRequiredClaim }: Claimant,
  isMachine: boolean,
): void {
  const ask = whomToAsk(contact);
  if (claim && hasRequiredClaim !== true)
    throw new Fault(
      'not_invited',
      `Your account is not among those that this installation of Watchpost admits: ${ask}`,
    );
  if (domains.length === 0 || isMachine) return;
  if (email === null || !emailVerified)
    throw new Fault(
      'not_invited',
      `This installation of Watchpost admits people by their verified email address, and the provider reports none of yours: ${ask}`,
    );
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase()))
    throw new Fault(
      'not_invited',
      `This installation of Watchpost admits email addresses of ${domains.join(', ')}, and yours is ${email}: ${ask}`,
    );
}

/** The end of a sentence that states what an installation does not permit. */
export function whomToAsk(contact: string | null): string {
  return `ask ${contact ?? 'its operator'}.`;
}

/**
 * The texts of a claim that is one or a list of them. Its name is that of the claim itself, else a path with dots to one inside
 * objects, such as `realm_access.roles`.
 * @returns null where there is no such claim
 */
export function claimValues(claims: Readonly<Record<string, unknown>>, name: string): string[] | null {
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce(memberOf, claims as unknown);
  if (found === undefined || found === null) return null;
  const values: unknown[] = Array.isArray(found) ? found.slice(0, MAX_VALUES) : [found];
  return values.filter((value) => typeof value !== 'object').map(String);
}

export function hasClaim(claims: Readonly<Record<string, unknown>>, { name, value }: RequiredClaim): boolean {
  return claimValues(claims, name)?.includes(value) === true;
}

function memberOf(container: unknown, key: string): unknown {
  return typeof container === 'object' && container !== null && Object.hasOwn(container, key)
    ? (container as Record<string, unknown>)[key]
    : undefined;
}
