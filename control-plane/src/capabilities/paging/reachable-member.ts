import type { Role } from '../../platform/identity/caller.js';
import { isWithinQuietHours, type QuietHours } from './decide-quiet-hours.js';

/** The notification preferences of a member; a preference that was never set is absent. */
export interface ContactPreferences {
  email?: boolean;
  sms?: boolean;
  phoneNumber?: string | null;
  quietHours?: QuietHours | null;
}

/** An active member of a workspace, with how to reach the person. */
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

/** Returns how to reach a person: by email unless it is switched off, by SMS if it is switched on. */
export function contactPointsOf({
  email,
  preferences,
}: Pick<ReachableMember, 'email' | 'preferences'>): ContactPoint[] {
  const points: ContactPoint[] = [];
  if (email !== null && preferences.email !== false) points.push({ channel: 'email', address: email });
  if (preferences.sms === true && preferences.phoneNumber) {
    points.push({ channel: 'sms', address: preferences.phoneNumber });
  }
  return points;
}

/** Returns the phone numbers by which members are reached. */
export function phoneNumbersOf(members: readonly Pick<ReachableMember, 'email' | 'preferences'>[]): string[] {
  return members.flatMap(contactPointsOf).flatMap(({ channel, address }) => (channel === 'sms' ? [address] : []));
}

/** Reports whether a person has quiet hours at a time. They apply to every message but pages about open incidents. */
export function isInQuietHours({ preferences }: Pick<ReachableMember, 'preferences'>, atMs: number): boolean {
  return isWithinQuietHours(preferences.quietHours ?? null, atMs);
}
