import type { Tx } from '../../platform/db/database.js';
import { type RecipientRules, recipientStates } from '../delivery/index.js';
import { LENT_FIELDS, maskContact } from '../group-settings/index.js';
import { CONTACT_METHOD_TYPES, isByPhone } from '../workspaces/index.js';
import { decideOwnRules, type OwnAddress, type TimedAddress } from './decide-own-rules.js';
import { type ContactMethodRow, pagingStore } from './paging-store.js';
import type { ReachableMember } from './reachable-member.js';

/** A member with the addresses at which the person can be reached here. */
export interface ReachablePerson {
  person: ReachableMember;
  /** All that messages can be sent to, whatever the person prefers. */
  addresses: readonly OwnAddress[];
  /** Those that pages go to, and when. */
  points: readonly TimedAddress[];
  /** True if the person wants messages at a number that is not confirmed. */
  isBlocked: boolean;
}

export interface ReachDeps extends RecipientRules {
  /** True if this installation can send SMS and call. */
  hasSms: boolean;
}

/**
 * Returns those of the users who are active members, in the order of their ids, and how to reach them: by their rules or
 * preferences, as far as the number is confirmed and a group lends what a service needs.
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
  const withMethods = members.filter(usesMethods).map(({ userId }) => userId);
  const methods = withMethods.length === 0 ? [] : await pagingStore.contactMethods(workspaceId, tx, withMethods);
  return members.map((person) => {
    const number = numberOf(person);
    const isBlocked = number !== null && blocked.has(number);
    const addresses: OwnAddress[] = [];
    if (person.email !== null) addresses.push({ channel: 'email', address: person.email });
    if (number !== null && deps.hasSms && !isBlocked)
      addresses.push({ channel: 'sms', address: number }, { channel: 'voice', address: number });
    addresses.push(...methods.filter(({ userId }) => userId === person.userId).flatMap(addressOf));
    return { person, addresses, points: decideOwnRules(person.preferences, addresses), isBlocked };
  });
}

function addressOf({ id, type, address, lenderId }: ContactMethodRow): OwnAddress[] {
  if (LENT_FIELDS[type] !== null && lenderId === null) return [];
  return [{ channel: type, address: maskContact(type, address), key: id }];
}

function usesMethods({ preferences: { rules } }: ReachableMember): boolean {
  return rules?.some(({ channel }) => CONTACT_METHOD_TYPES.some((type) => type === channel)) ?? false;
}

/** The number by which a person wants to be reached. */
function numberOf({ preferences: { sms, rules, phoneNumber } }: ReachableMember): string | null {
  const isWanted = rules ? rules.some(({ channel }) => isByPhone(channel)) : sms === true;
  return (isWanted && phoneNumber) || null;
}
