import { type Actor, roleAllows } from '../../platform/identity/caller.js';

/**
 * A member's phone number as the caller sees it: complete for the member and for Admins, and masked for the others.
 */
export function showPhoneNumber(number: string, ofUserId: string, { caller, workspace }: Actor): string {
  if (caller.userId === ofUserId || roleAllows(workspace.role, 'Admin')) return number;
  return `${number.slice(0, 3)}***${number.slice(-2)}`;
}
