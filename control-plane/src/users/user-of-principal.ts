import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Database, Tx } from '../db/database.js';
import type { Profile } from '../identity/verified-token.js';
import { userStore, type NewUser, type UserRow } from './user-store.js';

/** Called in the transaction that made the user, once a user: makes the personal workspace. */
export type UserCreated = (tx: Tx, user: NewUser, nowMs: number) => Promise<void>;

export interface UserDeps {
  db: Database;
  clock: Clock;
  onUserCreated: UserCreated;
}

/** A principal whose token was verified; `Profile` as far as the token says. */
export interface Principal {
  issuer: string;
  subject: string;
  clientId: string | null;
  profile: Profile;
}

const CACHED_USERS = 10_000;
/** A user that another process deleted is noticed after this long at the latest. */
const CACHE_MS = 60_000;
/** The userinfo endpoint is asked again for a user without email after this long. */
const ASK_AGAIN_MS = 3_600_000;
const NOBODY: Profile = { email: null, emailVerified: false, name: null };

export interface Users {
  /**
   * The user of a principal; the first call makes it, with its personal workspace. Of calls at once, in
   * whatever processes, one makes it and all get the same.
   * @param askProfile asked where the token does not say who it is; its failure is not ours
   */
  userOfPrincipal(principal: Principal, askProfile: () => Promise<Profile | null>): Promise<string>;
  /** As `userOfPrincipal`; says whether this very call made the user. */
  signIn(principal: Principal, askProfile: () => Promise<Profile | null>): Promise<SignedIn>;
  /** The account of this principal is gone: its next call makes another one. */
  forget(principal: Pick<Principal, 'issuer' | 'subject'>): void;
}

export interface SignedIn {
  userId: string;
  isNew: boolean;
}

export function createUsers(deps: UserDeps): Users {
  const known = new BoundedCache<string, { userId: string; atMs: number }>(CACHED_USERS);
  const asked = new BoundedCache<string, number>(CACHED_USERS);

  const keyOf = ({ issuer, subject }: Pick<Principal, 'issuer' | 'subject'>) => JSON.stringify([issuer, subject]);
  const signIn: Users['signIn'] = async (principal, askProfile) => {
    const key = keyOf(principal);
    const nowMs = deps.clock.now();
    const hit = known.get(key);
    if (hit && nowMs - hit.atMs < CACHE_MS) return { userId: hit.userId, isNew: false };

    const row = await deps.db.read((tx) => userStore.findByPrincipal(tx, principal.issuer, principal.subject));
    let profile = principal.profile;
    if (
      profile.email === null &&
      !row?.email &&
      !isMachine(principal) &&
      nowMs - (asked.get(key) ?? -Infinity) >= ASK_AGAIN_MS
    ) {
      asked.set(key, nowMs);
      profile = mergeProfiles(profile, (await askProfile()) ?? NOBODY);
    }
    const signedIn = row
      ? { userId: await completeUser(deps, row, profile, nowMs), isNew: false }
      : await ensureUser(deps, { ...principal, profile });
    known.set(key, { userId: signedIn.userId, atMs: nowMs });
    return signedIn;
  };

  return {
    signIn,
    userOfPrincipal: async (principal, askProfile) => (await signIn(principal, askProfile)).userId,
    forget(principal) {
      known.delete(keyOf(principal));
      asked.delete(keyOf(principal));
    },
  };
}

/** The principal's user, made with its personal workspace where there is none. */
async function ensureUser(deps: UserDeps, principal: Omit<Principal, 'clientId'>): Promise<SignedIn> {
  return deps.db.transaction((tx) => ensureUserIn(tx, deps, principal));
}

/** As `ensureUser`, within a transaction; says whether it made the user. */
export async function ensureUserIn(
  tx: Tx,
  deps: Pick<UserDeps, 'clock' | 'onUserCreated'>,
  { issuer, subject, profile }: Omit<Principal, 'clientId'>,
): Promise<SignedIn> {
  const nowMs = deps.clock.now();
  const user: NewUser = { id: newId(nowMs), issuer, subject, ...profile };
  if (await userStore.insert(tx, user, nowMs)) {
    await deps.onUserCreated(tx, user, nowMs);
    return { userId: user.id, isNew: true };
  }
  const existing = await userStore.findByPrincipal(tx, issuer, subject);
  return { userId: existing!.id, isNew: false };
}

async function completeUser(deps: UserDeps, row: UserRow, profile: Profile, nowMs: number): Promise<string> {
  const verifies =
    profile.emailVerified && !row.emailVerified && row.email?.toLowerCase() === profile.email?.toLowerCase();
  if ((row.email === null && profile.email !== null) || (row.name === null && profile.name !== null) || verifies) {
    await deps.db.transaction((tx) => userStore.complete(tx, row.id, profile, nowMs));
  }
  return row.id;
}

/** A machine client's token (RFC 9068 §2.2: `sub` is the client's id) has nobody behind it to ask for. */
function isMachine(principal: Principal): boolean {
  return principal.clientId === principal.subject;
}

function mergeProfiles(token: Profile, userinfo: Profile): Profile {
  return {
    email: token.email ?? userinfo.email,
    emailVerified: token.email === null ? userinfo.emailVerified : token.emailVerified,
    name: token.name ?? userinfo.name,
  };
}
