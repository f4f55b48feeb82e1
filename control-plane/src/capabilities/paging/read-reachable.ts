import type { Tx } from '../../platform/db/database.js';
import { type RecipientRules, recipientStates } from '../delivery/index.js';
import { pagingStore } from './paging-store.js';
import type { ReachableMember } from './reachable-member.js';

export interface ContactPoint {
  channel: 'email' | 'sms';
  address: string;
}

/** A member with the points by which the person can be reached here. */
export interface ReachablePerson {
  person: ReachableMember;
  points: readonly ContactPoint[];
  /** Whether the number of the person is not among them, because it is not confirmed. */
  isBlocked: boolean;
}

export interface ReachDeps extends RecipientRules {
  /** Whether this installation can send SMS. If not, people are reached by email only. */
  hasSms: boolean;
}

/**
 * Returns those of the users who are active members, in the order of their ids, and how to reach them: by email unless it is
 * switched off, by SMS if it is switched on and the number is confirmed.
 */
export async function readReachable(
  deps: ReachDeps,
  tx: Tx,
  workspaceId: string,
  userIds: readonly string[],
): Promise<ReachablePerson[]> {
  if (userIds.length === 0) return [];
  const members = await pagingStore.members(workspaceId, tx, userIds);
  const numbers = members.flatMap((member) => numberOf(member) ?? []);
  const states = await recipientStates(deps, tx, workspaceId, 'sms', numbers);
  const blocked = new Set(states.flatMap(({ address, state }) => (state === 'allowed' ? [] : [address])));
  return members.map((person) => {
    const { email, preferences } = person;
    const number = numberOf(person);
    const isBlocked = number !== null && blocked.has(number);
    const points: ContactPoint[] = [];
    if (email !== null && preferences.email !== false) points.push({ channel: 'email', address: email });
    if (number !== null && deps.hasSms && !isBlocked) points.push({ channel: 'sms', address: number });
    return { person, points, isBlocked };
  });
}

/** The number by which a person wants to be reached. */
function numberOf({ preferences: { sms, phoneNumber } }: ReachableMember): string | null {
  return (sms === true && phoneNumber) || null;
}
