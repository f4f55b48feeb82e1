import { z } from 'zod';
import { isoTimestamp, nameText, uuid } from '../../platform/http/schemas.js';
import { planNameSchema, trialSchema } from '../plans/index.js';

export const userSchema = z.strictObject({
  id: uuid,
  email: z.string().nullable().meta({
    description:
      'As reported by the OpenID provider in a token or userinfo; a newer verified one replaces it at once. null where it reports none, for example for machine clients.',
  }),
  name: z.string().nullable(),
  plan: planNameSchema,
  trial: trialSchema,
  created: isoTimestamp,
  lastModified: isoTimestamp,
});

export type User = z.output<typeof userSchema>;

const email = z.string().max(320).meta({
  description: 'Comes from the OpenID provider and is changed there: any other than the present one is a 400.',
});

/** Fields that are not named stay unchanged. */
export const userInput = z
  .strictObject({ name: nameText.nullable().optional(), email: email.nullable().optional() })
  .meta({ id: 'UserUpdate' });

/** A JSON object of any shape. */
export const preferencesSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Preferences', description: 'Whatever applications keep here; at most 64 KiB as JSON.' });

export type UserInput = z.output<typeof userInput>;
