import { z } from 'zod';
import { isoTimestamp, uuid } from '../../platform/http/schemas.js';
import { ROLES, type Role } from '../../platform/identity/caller.js';
import {
  CONTACT_METHOD_TYPES,
  notificationPreferencesPatch,
  shownPreferencesSchema,
} from './notification-preferences.js';

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

export const chatAccountInput = z.strictObject({
  type: z.string().min(1).max(40).meta({
    description: 'A chat whose messages have a button: `canAcknowledge` of `GET /api/v1/channels`',
    example: 'slack',
  }),
  id: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/, { error: 'must be the id of the account, which has letters and digits only' })
    .meta({ description: 'The id of the account, not its name', example: 'U024BE7LH' }),
});
export const chatAccountSchema = chatAccountInput
  .extend({ isConfirmed: z.boolean().describe('Whether what the account presses is done as the member') })
  .meta({ id: 'ChatAccount' });

export const contactMethodInput = z.strictObject({
  type: z.enum(CONTACT_METHOD_TYPES),
  address: z.string().trim().min(1).max(2_048).meta({
    description:
      'The number of the chat with the bot (Telegram), the URL of a topic (ntfy), or the user key (Pushover)',
    example: 'https://ntfy.sh/watchpost-a1B2c3D4e5F6',
  }),
});
export const contactMethodSchema = contactMethodInput
  .extend({ isConfirmed: z.boolean().describe('Whether I am paged there') })
  .meta({ id: 'ContactMethod' });

export const ownMembershipSchema = memberSchema
  .extend({
    contactMethods: z.array(contactMethodSchema).describe('Where my rules page me beside mail, SMS and calls'),
    chatAccounts: z
      .array(chatAccountSchema)
      .describe('The accounts in chats with which I acknowledge by the button in a message'),
  })
  .meta({ id: 'OwnMembership' });

const MAX_CHAT_ACCOUNTS = 10;
const MAX_CONTACT_METHODS = 10;

export const ownMembershipPatchSchema = z
  .strictObject({
    notificationPreferences: notificationPreferencesPatch.nullable().optional(),
    chatAccounts: z
      .array(chatAccountInput)
      .max(MAX_CHAT_ACCOUNTS)
      .nullable()
      .optional()
      .describe('All of them: one that is left out is unlinked. Each that is not confirmed is sent another code.'),
    contactMethods: z
      .array(contactMethodInput)
      .max(MAX_CONTACT_METHODS)
      .nullable()
      .optional()
      .describe('All of them: one that is left out is removed. Each that is not confirmed is sent another code.'),
  })
  .meta({ id: 'OwnMembershipPatch' });

export type Member = z.output<typeof memberSchema>;
export type ChatAccount = z.output<typeof chatAccountSchema>;
export type ChatAccountInput = z.output<typeof chatAccountInput>;
export type ContactMethod = z.output<typeof contactMethodSchema>;
export type ContactMethodInput = z.output<typeof contactMethodInput>;
export type OwnMembership = z.output<typeof ownMembershipSchema>;
export type OwnMembershipPatch = z.output<typeof ownMembershipPatchSchema>;
