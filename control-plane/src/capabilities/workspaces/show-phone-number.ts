import { type Actor, roleAllows } from '../../platform/identity/caller.js';

/**
 * A member's phone number as others of the workspace see it: whole for its owner and for Admins, who answer for who is
 * reached; for the others as much as tells one from another.
 */
export function showPhoneNumber(number: string, ofUserId: string, { caller, workspace }: Actor): string {
  if (caller.userId === ofUserId || roleAllows(workspace.role, 'Admin')) return number;
  return `${number.slice(0, 3)}***${number.slice(-2)}`;
}
