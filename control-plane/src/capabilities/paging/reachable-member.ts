import type { Role } from '../../platform/identity/caller.js';
import { isWithinQuietHours, type OwnChannel, type QuietHours } from '../workspaces/index.js';

/** The notification preferences of a member; a preference that was never set is absent. */
export interface ContactPreferences {
  email?: boolean;
  sms?: boolean;
  phoneNumber?: string | null;
  quietHours?: QuietHours | null;
  rules?: readonly { after: string; channel: OwnChannel }[] | null;
}

/** An active member of a workspace, with how to reach the person. */
export interface ReachableMember {
  userId: string;
  name: string | null;
  email: string | null;
  role: Role;
  preferences: ContactPreferences;
}

/** Reports whether a person has quiet hours at a time. They apply to every message but pages about open incidents. */
export function isInQuietHours({ preferences }: Pick<ReachableMember, 'preferences'>, atMs: number): boolean {
  return isWithinQuietHours(preferences.quietHours ?? null, atMs);
}
