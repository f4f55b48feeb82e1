import type { Role } from '../../../platform/identity/caller.js';
import { isWithinQuietHours, type QuietHours } from './decide-quiet-hours.js';

/** What a member wants to be reached by; what was never set is absent. */
export interface ContactPreferences {
  email?: boolean;
  sms?: boolean;
  phoneNumber?: string | null;
  quietHours?: QuietHours | null;
}

/** Somebody who can be paged. */
export interface ReachableMember {
  userId: string;
  name: string | null;
  email: string | null;
  role: Role;
  preferences: ContactPreferences;
}

export interface ContactPoint {
  channel: 'email' | 'sms';
  address: string;
}

/** How a person is reached: by email unless that was switched off, by SMS where it was switched on. */
export function contactPointsOf({
  email,
  preferences,
}: Pick<ReachableMember, 'email' | 'preferences'>): ContactPoint[] {
  const reaches: ContactPoint[] = [];
  if (email !== null && preferences.email !== false) reaches.push({ channel: 'email', address: email });
  if (preferences.sms === true && preferences.phoneNumber) {
    reaches.push({ channel: 'sms', address: preferences.phoneNumber });
  }
  return reaches;
}

/** The numbers by which any of them is paged. */
export function phoneNumbersOf(members: readonly Pick<ReachableMember, 'email' | 'preferences'>[]): string[] {
  return members.flatMap(contactPointsOf).flatMap(({ channel, address }) => (channel === 'sms' ? [address] : []));
}

/** What is no page for an open incident respects quiet hours. */
export function isInQuietHours({ preferences }: Pick<ReachableMember, 'preferences'>, atMs: number): boolean {
  return isWithinQuietHours(preferences.quietHours ?? null, atMs);
}
