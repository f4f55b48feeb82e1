import { z } from 'zod';
import { isoTimestamp, uuid } from '../http/schemas.js';
import { planNameSchema } from '../plans/index.js';

export const trialSchema = z.strictObject({
  status: z.enum(['none', 'active', 'expired']),
  plan: planNameSchema.nullable(),
  started: isoTimestamp.nullable(),
  ends: isoTimestamp.nullable(),
  daysRemaining: z.int().nullable(),
});

export const userSchema = z.strictObject({
  id: uuid,
  email: z
    .string()
    .nullable()
    .meta({ description: 'As the OpenID provider says; null where it does not, as for machine clients.' }),
  name: z.string().nullable(),
  plan: planNameSchema,
  trial: trialSchema,
  created: isoTimestamp,
  lastModified: isoTimestamp,
});

export type User = z.output<typeof userSchema>;
