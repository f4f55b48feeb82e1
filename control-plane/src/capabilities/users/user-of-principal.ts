import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { type Clock, isWithin, laterThan } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { PlanName } from '../plans/index.js';
import type { Database, Tx } from '../../platform/db/database.js';
import { type AdmissionRules, requireAdmitted } from '../../platform/identity/admission.js';
import type { Profile } from '../../platform/identity/verified-token.js';
import { decideProfile } from './decide-profile.js';
import { createProfileReader, isMachine, type Principal } from './read-profile.js';
import { userStore, type NewUser } from './user-store.js';

/** Called in the transaction that created the user, to create the personal workspace. */
export type UserCreated = (tx: Tx, user: NewUser, nowMs: number) => Promise<unknown>;

export interface UserDeps {
  db: Database;
  clock: Clock;
  onUserCreated: UserCreated;
  /** Whom of the provider's people this installation admits, and on which plan; default all, on Starter. */
  admission?: AdmissionRules;
  defaultPlan?: PlanName;
  /** Called with the values of the claim that gives roles, at each sign-in and with each newer token; default nothing. */
  onRoleValues?(user: SignedIn, values: readonly string[]): Promise<void>;
}

const CACHED_USERS = 10_000;
/** A user deleted by another process is noticed after at most this time. */
const CACHE_MS = 60_000;

export interface Users {
  /**
   * The user of a principal. The first call creates it with its personal workspace; concurrent calls in all processes get
   * the same user, and one of them that it was created.
   * @param askProfile called where the token has no profile; its failure does not fail the request
   * @throws Fault `not_invited`
   */
  signIn(principal: Principal, askProfile: () => Promise<Profile | null>): Promise<SignedIn>;
  /** Forgets a deleted account; the next call of the principal creates a new one. */
  forget(principal: Pick<Principal, 'issuer' | 'subject'>): void;
}

export interface SignedIn {
  userId: string;
  isNew: boolean;
}

interface Seen {
  userId: string;
  atMs: number;
  tokenId: string | undefined;
  issuedAtMs: number;
}

export function createUsers(deps: UserDeps): Users {
  const seen = new BoundedCache<string, Seen>(CACHED_USERS);
  const provider = createProfileReader(deps.clock);

  const keyOf = ({ issuer, subject }: Pick<Principal, 'issuer' | 'subject'>) => JSON.stringify([issuer, subject]);
  const signIn: Users['signIn'] = async (principal, askProfile) => {
    const key = keyOf(principal);
    const nowMs = deps.clock.now();
    const hit = seen.get(key);
    if (hit && isWithin(CACHE_MS, nowMs, hit.atMs) && !isNewer(principal, hit))
      return { userId: hit.userId, isNew: false };

    const row = await deps.db.read((tx) => userStore.findByPrincipal(tx, principal.issuer, principal.subject));
    const { profile, asOf } = await provider.read(principal, askProfile);
    if (deps.admission) requireAdmitted(deps.admission, profile, isMachine(principal));
    const signedIn = row
      ? { userId: row.id, isNew: false }
      : await deps.db.transaction((tx) => ensureUserIn(tx, deps, { ...principal, profile }, asOf));
    // The request that created the user may have known less of the profile.
    if (!signedIn.isNew && (!row || decideProfile(row, profile, asOf))) {
      await deps.db.transaction((tx) => keepProfile(tx, signedIn.userId, profile, asOf, nowMs));
    }
    // An older token that is still in use does not bring back roles that a newer one has ended.
    const { roleValues } = profile;
    if (roleValues && !(hit && isOlder(principal, hit))) await deps.onRoleValues?.(signedIn, roleValues);
    const { id: tokenId, issuedAtMs } = principal;
    seen.set(key, { userId: signedIn.userId, atMs: nowMs, tokenId, issuedAtMs: issuedAtMs ?? -Infinity });
    return signedIn;
  };

  return {
    signIn,
    forget: (principal) => seen.delete(keyOf(principal)),
  };
}

/** Whether the token may have a newer profile: it is another token and not older. */
function isNewer(principal: Principal, latest: Seen): boolean {
  return principal.id !== latest.tokenId && !isOlder(principal, latest);
}

function isOlder({ issuedAtMs }: Principal, latest: Seen): boolean {
  return (issuedAtMs ?? Infinity) < latest.issuedAtMs;
}

/** The principal's user, created with its personal workspace where there is none, and whether it was created. */
export async function ensureUserIn(
  tx: Tx,
  deps: Pick<UserDeps, 'clock' | 'onUserCreated' | 'defaultPlan'>,
  { issuer, subject, profile }: Pick<Principal, 'issuer' | 'subject' | 'profile'>,
  emailAsOf: Date | null = null,
): Promise<SignedIn> {
  const nowMs = deps.clock.now();
  const { email, emailVerified, name } = profile;
  const plan = deps.defaultPlan ?? 'Starter';
  const user: NewUser = { id: newId(nowMs), issuer, subject, email, emailVerified, name, emailAsOf, plan };
  if (await userStore.insert(tx, user, nowMs)) {
    await deps.onUserCreated(tx, user, nowMs);
    return { userId: user.id, isNew: true };
  }
  const existing = await userStore.findByPrincipal(tx, issuer, subject);
  return { userId: existing!.id, isNew: false };
}

/** Decides under the lock of the account, so that the newest of concurrent reports stays. */
async function keepProfile(tx: Tx, userId: string, reported: Profile, asOf: Date | null, nowMs: number): Promise<void> {
  const row = await userStore.lock(tx, userId, 'for_no_key_update');
  const after = row && decideProfile(row, reported, asOf);
  if (after) await userStore.update(tx, userId, { ...after, lastModified: laterThan(row.lastModified, nowMs) });
}
