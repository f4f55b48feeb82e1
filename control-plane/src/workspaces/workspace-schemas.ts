import { z } from 'zod';
import { isoTimestamp, nameText, uuid } from '../http/schemas.js';
import { ROLES } from '../identity/caller.js';
import { limitsSchema, planNameSchema, usageSchema } from '../plans/index.js';

export const workspaceSettingsSchema = z.strictObject({
  timezone: z.string().meta({ description: 'IANA time zone of reports', example: 'Europe/Dublin' }),
  autoCloseIncidents: z.boolean(),
  incidentQuorum: z
    .enum(['any', 'majority', 'all'])
    .meta({ description: 'Which share of the reporting regions must fail for an incident to open' }),
  defaultActionGroupIds: z.array(uuid),
});

export const workspaceSchema = z.strictObject({
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
});

export type Workspace = z.output<typeof workspaceSchema>;
