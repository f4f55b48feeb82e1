import type { Role } from '../../../platform/identity/caller.js';
import { isQuiet, type QuietHours } from './decide-quiet-hours.js';

/** What a member wants to be reached by; what was never set is absent. */
export interface ContactPreferences {
  email?: boolean;
  sms?: boolean;
  phoneNumber?: string | null;
  quietHours?: QuietHours | null;
}

/** Somebody who can be paged. */
export interface PageableMember {
  userId: string;
  name: string | null;
  email: string | null;
  role: Role;
  preferences: ContactPreferences;
}

export interface Reach {
  channel: 'email' | 'sms';
  address: string;
}

/** How a person is reached: by email unless that was switched off, by SMS where it was switched on. */
export function reachesOf({ email, preferences }: Pick<PageableMember, 'email' | 'preferences'>): Reach[] {
  const reaches: Reach[] = [];
  if (email !== null && preferences.email !== false) reaches.push({ channel: 'email', address: email });
  if (preferences.sms === true && preferences.phoneNumber) {
    reaches.push({ channel: 'sms', address: preferences.phoneNumber });
  }
  return reaches;
}

/** The numbers by which any of them is paged. */
export function numbersOf(members: readonly Pick<PageableMember, 'email' | 'preferences'>[]): string[] {
  return members.flatMap(reachesOf).flatMap(({ channel, address }) => (channel === 'sms' ? [address] : []));
}

/** What is no page for an open incident respects quiet hours. */
export function wantsQuiet({ preferences }: Pick<PageableMember, 'preferences'>, atMs: number): boolean {
  return isQuiet(preferences.quietHours ?? null, atMs);
}
