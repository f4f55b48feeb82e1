import { MOST_DOCUMENT_MIB, MOST_TEXT_MIB } from '@watchpost/shared/document-limits';
import { z } from 'zod';
import { uuid } from '../../platform/http/schemas.js';
import { keyText } from './document-schema.js';
import { SECTIONS } from '../../platform/documents/document-section.js';

const kind = z.enum(SECTIONS).meta({ description: 'The section of the document' });

const document = z
  .union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be an object, or a text in YAML or JSON' })
  .meta({
    description:
      `The document: an object, or a text in YAML 1.2 or JSON of at most ${MOST_TEXT_MIB} MiB, with at most 5,000 objects, in a request of at most ` +
      `${MOST_DOCUMENT_MIB} MiB. See \`/api/v1/config/schema\`.`,
    example: { apiVersion: 'watchpost/v1', project: 'shop', monitors: { checkout: { url: 'https://shop.example/' } } },
  });

const planFields = {
  document,
  prune: z
    .boolean()
    .default(false)
    .describe(
      'Whether to delete objects of this project that the document no longer has. Otherwise they are `orphan` and stay.',
    ),
  adopt: z
    .boolean()
    .default(false)
    .describe('Whether to take over unmanaged objects of the same kind and name instead of creating others.'),
};

export const planInput = z.strictObject(planFields).meta({ id: 'ConfigPlanInput' });

export const applyInput = z
  .strictObject({
    ...planFields,
    maxDelete: z.int().min(0).max(10_000).default(10).describe('More deletions than this are refused.'),
    expectedVersion: z
      .string()
      .max(100)
      .optional()
      .describe('The `version` of the plan that was looked at. If the objects were changed since, nothing is applied.'),
  })
  .meta({ id: 'ConfigApplyInput' });

const count = z.int().min(0);

export const configPlanSchema = z
  .strictObject({
    project: keyText,
    version: z.string().describe('Changes with every change of an object that the project manages'),
    changes: z.array(
      z.strictObject({
        action: z.enum(['create', 'update', 'delete', 'orphan', 'unchanged']),
        kind,
        key: z.string(),
        id: uuid.nullable().describe('null in a plan for what would be created'),
        fields: z
          .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
          .describe('What differs, by the dotted path of the field. Secrets are `***`.'),
      }),
    ),
    summary: z.strictObject({ create: count, update: count, delete: count, orphan: count, unchanged: count }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ConfigPlan' });
export type ConfigPlan = z.output<typeof configPlanSchema>;

export const exportQuery = z.strictObject({
  project: keyText.optional().describe('Only the objects of this project; default everything in the workspace.'),
});

export const detachInput = z
  .strictObject({
    project: keyText,
    objects: z
      .array(z.strictObject({ kind, key: keyText }))
      .min(1)
      .max(1_000),
  })
  .meta({ id: 'ConfigDetachInput' });

export const detachedSchema = z
  .strictObject({ detached: count.describe('How many objects were managed and are no longer') })
  .meta({ id: 'ConfigDetached' });
