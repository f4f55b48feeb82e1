import { z } from 'zod';
import { booleanParam, instant, isoTimestamp, nameText, pageQuery } from '../../platform/http/schemas.js';
import { SCOPES, type Scope } from '../../platform/http/scopes.js';

/** For how many days a key is good where its creator names no end. */
export const DEFAULT_DAYS = 90;

const scope = z.enum(Object.keys(SCOPES) as Scope[]);

export const apiKeyInput = z
  .strictObject({
    name: nameText.meta({ description: 'What it is for, to recognise it later.', example: 'Deployments' }),
    scopes: z
      .array(scope)
      .min(1)
      .max(100)
      .transform((scopes) => [...new Set(scopes)])
      .meta({ description: 'What it permits: at most what the caller may do.', example: ['monitor.read'] }),
    expiresAt: instant
      .nullable()
      .optional()
      .meta({
        description: `When it ends; must lie in the future. Default: ${DEFAULT_DAYS} days from now. null: never.`,
      }),
  })
  .meta({ id: 'ApiKeyInput' });

export type ApiKeyInput = z.output<typeof apiKeyInput>;

export const apiKeyQuery = z.strictObject({
  ...pageQuery.shape,
  all: booleanParam
    .default(false)
    .meta({ description: 'Every key of the workspace, each with its `owner`: for Admins and the Owner.' }),
});

const fields = {
  id: z.uuid(),
  name: z.string(),
  prefix: z
    .string()
    .meta({ description: 'How the key begins: enough to recognise it, and no secret.', example: 'wpk_3fA9kQ2mZx7B' }),
  scopes: z.array(scope),
  created: isoTimestamp,
  expiresAt: isoTimestamp.nullable().meta({ description: 'When it ends; null: never.' }),
  lastUsedAt: isoTimestamp.nullable().meta({ description: 'When it was last used, to the minute; null: never.' }),
};

export const apiKeySchema = z
  .strictObject({
    ...fields,
    owner: z
      .strictObject({ userId: z.uuid(), name: z.string().nullable() })
      .optional()
      .meta({ description: 'Whose key it is; only with `all=true`.' }),
  })
  .meta({ id: 'ApiKey' });

export type ApiKey = z.output<typeof apiKeySchema>;

export const newApiKeySchema = z
  .strictObject({
    ...fields,
    key: z.string().optional().meta({
      description:
        'The key itself, shown this once and stored nowhere. Where a repeated `Idempotency-Key` gets this answer again, it is left out.',
    }),
  })
  .meta({ id: 'NewApiKey' });
