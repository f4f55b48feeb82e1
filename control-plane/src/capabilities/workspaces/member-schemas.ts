import { z } from 'zod';
import { isoTimestamp, uuid } from '../../platform/http/schemas.js';
import { ROLES, type Role } from '../../platform/identity/caller.js';
import { notificationPreferencesPatch, shownPreferencesSchema } from './notification-preferences.js';

export type GivenRole = Exclude<Role, 'Owner'>;
const GIVEN_ROLES = ROLES.filter((role): role is GivenRole => role !== 'Owner');

/** A role that can be assigned; Owner changes only by a transfer. */
export const givenRole = z.enum(GIVEN_ROLES);

export const memberSchema = z
  .strictObject({
    id: uuid.describe('Of the membership: what `memberId` means'),
    userId: uuid,
    email: z.string().nullable(),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    status: z.enum(['active', 'suspended']),
    roleSource: z
      .enum(['hand', 'claim'])
      .describe('`claim`: the role follows the `roleMapping` of the workspace until somebody changes it'),
    notificationPreferences: shownPreferencesSchema,
    joined: isoTimestamp,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'Member' });

export const memberPatchSchema = z
  .strictObject({
    role: givenRole.optional(),
    status: z.enum(['active', 'suspended']).optional(),
  })
  .meta({ id: 'MemberPatch' });

export const ownMembershipPatchSchema = z
  .strictObject({ notificationPreferences: notificationPreferencesPatch.nullable().optional() })
  .meta({ id: 'OwnMembershipPatch' });

export type Member = z.output<typeof memberSchema>;
export type OwnMembershipPatch = z.output<typeof ownMembershipPatchSchema>;
