import { z } from 'zod';
import { isoTimestamp, uuid } from '../../platform/http/schemas.js';
import { givenRole } from './member-schemas.js';

const MAX_EMAIL = 254;

const invitationFields = {
  id: uuid,
  email: z.string().meta({ description: 'In lower case' }),
  role: givenRole,
  status: z.enum(['pending', 'accepted', 'declined', 'revoked', 'expired']),
  invitedBy: uuid.describe('The user who invited'),
  expiresAt: isoTimestamp,
  created: isoTimestamp,
  lastModified: isoTimestamp,
};

export const invitationSchema = z.strictObject(invitationFields).meta({ id: 'Invitation' });

export const invitationWithLinkSchema = z
  .strictObject({
    ...invitationFields,
    link: z.url().meta({
      description:
        'Mailed to the person invited, and shown this once. Its `token` is what accepting and declining take.',
      example: 'https://watchpost.example/invitations/accept?token=vQ0r8Yw2',
    }),
  })
  .meta({ id: 'InvitationWithLink' });

export const invitationInput = z
  .strictObject({
    email: z
      .string()
      .trim()
      .toLowerCase()
      .max(MAX_EMAIL)
      .pipe(z.email())
      .meta({ description: 'In any case', example: 'ann@example.com' }),
    role: givenRole.meta({ description: 'What the person will be; an Owner is made by a transfer only' }),
  })
  .meta({ id: 'InvitationCreate' });

export const invitationTokenInput = z
  .strictObject({ token: z.string().min(1).max(200).meta({ description: 'From the link' }) })
  .meta({ id: 'InvitationToken' });

export const invitationOfferSchema = z
  .strictObject({
    workspaceId: uuid.nullable().describe('null unless you are a member already'),
    workspaceName: z.string(),
    role: givenRole,
    status: invitationFields.status,
    expiresAt: isoTimestamp,
    invitedBy: z.string().nullable().describe('The name of the person who invited; null where there is none'),
    email: z
      .string()
      .describe('The address that was invited; where it is not yours, only its first character and domain'),
    isForYou: z
      .boolean()
      .describe('Whether you may answer it: your verified email is the one invited, or you have none'),
  })
  .meta({ id: 'InvitationOffer' });

export type Invitation = z.output<typeof invitationSchema>;
export type InvitationWithLink = z.output<typeof invitationWithLinkSchema>;
export type InvitationOffer = z.output<typeof invitationOfferSchema>;
export type InvitationInput = z.output<typeof invitationInput>;
