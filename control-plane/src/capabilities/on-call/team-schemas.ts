import { managedBySchema } from '../../platform/documents/managed-by.js';
import { z } from 'zod';
import { isoTimestamp, nameText, uuid } from '../../platform/http/schemas.js';

export const TEAM_ROLES = ['lead', 'member'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** People per team at most: an answer lists them all. */
export const MAX_TEAM_MEMBERS = 100;

const descriptionText = z.string().trim().max(1_000).nullable();
const teamRole = z.enum(TEAM_ROLES).meta({ description: 'Leads are paged when nobody acknowledges' });

const person = {
  userId: uuid,
  name: z.string().nullable(),
  email: z.string().nullable(),
};

/** A person in teams and shifts. */
export const personSchema = z.strictObject(person).meta({ id: 'OnCallPerson' });

export const teamMemberSchema = z.strictObject({ ...person, teamRole }).meta({ id: 'TeamMember' });

export const teamSchema = z
  .strictObject({
    id: uuid,
    workspaceId: uuid,
    name: nameText,
    description: descriptionText,
    members: z.array(teamMemberSchema).describe('In the order in which they joined the team'),
    planRestricted: z
      .boolean()
      .describe(
        "Whether the team is beyond the number of the owner's plan, over all workspaces of the owner: it is kept and pages nobody. The newest teams are beyond it first.",
      ),
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'Team' });

export const teamCreateSchema = z
  .strictObject({ name: nameText, description: descriptionText.default(null) })
  .meta({ id: 'TeamCreate' });

export const teamPatchSchema = z
  .strictObject({ name: nameText.optional(), description: descriptionText.optional() })
  .meta({ id: 'TeamPatch' });

export const teamMemberCreateSchema = z
  .strictObject({ userId: uuid.describe('An active member of the workspace'), teamRole: teamRole.default('member') })
  .meta({ id: 'TeamMemberCreate' });

export const teamMemberPatchSchema = z.strictObject({ teamRole: teamRole.optional() }).meta({ id: 'TeamMemberPatch' });

export type Person = z.output<typeof personSchema>;
export type TeamMember = z.output<typeof teamMemberSchema>;
export type Team = z.output<typeof teamSchema>;
export type TeamCreate = z.output<typeof teamCreateSchema>;
export type TeamPatch = z.output<typeof teamPatchSchema>;
