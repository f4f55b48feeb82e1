import { roleAllows } from '../../platform/identity/caller.js';
import type { GivenRole, Member } from './member-schemas.js';

/** By value of a claim. Never Owner, who changes only by a transfer. */
export type RoleMapping = Readonly<Record<string, GivenRole>>;

export interface MappedRole {
  role: GivenRole;
  /** The value of the claim that gives it. */
  value: string;
}

/** The highest role that the values of a person's claim give; null where none matches. */
export function decideMappedRole(mapping: RoleMapping, values: readonly string[]): MappedRole | null {
  const matches = values.flatMap((value) => (Object.hasOwn(mapping, value) ? [{ role: mapping[value]!, value }] : []));
  return matches.reduce<MappedRole | null>((best, one) => (best && roleAllows(best.role, one.role) ? best : one), null);
}

/**
 * Decides what becomes of a person in a workspace. Only members whom the mapping added follow it: a role that people gave stays, and so
 * does a suspension, because who was removed would come back without it.
 */
export function decideMapped(
  member: Pick<Member, 'role' | 'status' | 'roleSource'> | undefined,
  mapped: MappedRole | null,
): 'join' | 'change' | 'leave' | null {
  if (!member) return mapped && 'join';
  if (member.roleSource === 'hand') return null;
  if (!mapped) return member.status === 'suspended' ? null : 'leave';
  return member.role === mapped.role ? null : 'change';
}
