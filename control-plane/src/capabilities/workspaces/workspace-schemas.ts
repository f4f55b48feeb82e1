import { z } from 'zod';
import { isoTimestamp, nameText, uuid } from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/caller.js';
import { limitsSchema, planNameSchema, usageSchema } from '../plans/index.js';
import { givenRole } from './member-schemas.js';
import { timeZone } from './time-zone.js';

export const MAX_DEFAULT_ACTION_GROUPS = 50;

const claimValue = z.string().min(1).max(200);

const settings = {
  timezone: timeZone.meta({ description: 'IANA time zone of reports' }),
  autoCloseIncidents: z.boolean().meta({ description: 'Whether an incident is closed once its monitor has recovered' }),
  incidentQuorum: z
    .enum(['any', 'majority', 'all'])
    .meta({ description: 'Which share of the reporting regions must fail for an incident to open' }),
  defaultActionGroupIds: z
    .array(uuid)
    .max(MAX_DEFAULT_ACTION_GROUPS)
    .meta({ description: 'Action groups of this workspace that a new monitor is given' }),
  roleMapping: z.record(claimValue, givenRole).meta({
    description:
      'The role that people have whose claim has this value, the highest where several match. They join at their next sign-in, and leave once no value matches. Members whose role people gave keep it. At most 100 values; only where the operator has named a claim.',
    example: { 'shop-on-call': 'Responder' },
  }),
};

export const workspaceSettingsSchema = z.strictObject(settings);

/** null resets a setting to its default. */
const settingsPatch = z.strictObject({
  timezone: settings.timezone.nullable().optional(),
  autoCloseIncidents: settings.autoCloseIncidents.nullable().optional(),
  incidentQuorum: settings.incidentQuorum.nullable().optional(),
  defaultActionGroupIds: settings.defaultActionGroupIds.nullable().optional(),
  roleMapping: z
    .record(claimValue, givenRole.nullable())
    .meta({ description: 'Adds and replaces roles of these values; null removes one.' })
    .nullable()
    .optional(),
});

export const workspaceSchema = z
  .strictObject({
    id: uuid,
    name: nameText,
    isPersonal: z.boolean(),
    ownerId: uuid,
    plan: planNameSchema.meta({ description: "The owner's plan" }),
    role: z.enum(ROLES).meta({ description: "The caller's role" }),
    limits: limitsSchema.meta({
      description:
        'null: unlimited. They hold over all workspaces of one owner together, `extraRegions` for each monitor.',
    }),
    usage: usageSchema.meta({
      description: 'Over all workspaces of the owner; `extraRegions` is the most that one monitor has.',
    }),
    settings: workspaceSettingsSchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'Workspace' });

export type Workspace = z.output<typeof workspaceSchema>;

export const workspacePatchSchema = z
  .strictObject({ name: nameText.optional(), settings: settingsPatch.nullable().optional() })
  .meta({ id: 'WorkspacePatch' });

export const workspaceCreateSchema = z
  .strictObject({ name: nameText, settings: settingsPatch.optional() })
  .meta({ id: 'WorkspaceCreate' });

export const transferSchema = z
  .strictObject({ memberId: uuid.describe('An active member other than the Owner') })
  .meta({ id: 'OwnershipTransfer' });

export type WorkspaceSettings = z.output<typeof workspaceSettingsSchema>;
export type WorkspacePatch = z.output<typeof workspacePatchSchema>;
export type WorkspaceCreate = z.output<typeof workspaceCreateSchema>;

export function auditedWorkspace({ name, ownerId, settings }: Workspace): object {
  return { name, ownerId, settings };
}
