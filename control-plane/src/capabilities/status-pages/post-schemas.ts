import { z } from 'zod';
import { isoTimestamp, nameText, pageQuery, plannedInstant, uuid } from '../../platform/http/schemas.js';
import { POST_STATUSES } from '@watchpost/shared/design/states';
import { decidePostFaults, POST_KINDS } from './decide-post-faults.js';
import { MAX_SYSTEMS } from './status-page-schemas.js';

export const postListQuery = z.strictObject({ ...pageQuery.shape });

const markdown = z.string().trim().min(1).max(20_000);
export const postPreviewInput = z.strictObject({ body: markdown }).meta({ id: 'StatusPagePostPreviewInput' });
export const postPreviewSchema = z
  .strictObject({ html: z.string().meta({ example: '<p>We are looking into it.</p>' }) })
  .meta({ id: 'StatusPagePostPreview' });

const systemIds = z
  .array(uuid)
  .max(MAX_SYSTEMS)
  .transform((ids) => [...new Set(ids)])
  .meta({ description: 'The systems of the page that it is about.' });
const moment = plannedInstant.meta({ description: 'Of maintenance only.' });

export const postUpdateSchema = z
  .strictObject({
    id: uuid,
    status: z.enum(POST_STATUSES),
    body: z.string().nullable().describe('Markdown; null where only the status changed'),
    created: isoTimestamp,
    createdBy: uuid,
  })
  .meta({ id: 'StatusPagePostUpdate' });

export const postSchema = z
  .strictObject({
    id: uuid,
    title: z.string(),
    body: z.string().describe('Markdown, as it was posted first'),
    kind: z.enum(POST_KINDS),
    status: z.enum(POST_STATUSES),
    systemIds: z.array(uuid),
    scheduledStart: isoTimestamp.nullable(),
    scheduledEnd: isoTimestamp.nullable(),
    updates: z.array(postUpdateSchema).describe('What was added since, newest first, 100 at most'),
    moreUpdates: z
      .boolean()
      .describe('Whether older updates are left out; a list carries 2 MiB of updates, the newest of all its posts'),
    createdBy: uuid,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'StatusPagePost' });
export type PostView = z.output<typeof postSchema>;

export const postCreateSchema = z
  .strictObject({
    title: nameText.meta({ example: 'Payments are slow' }),
    body: markdown.meta({ description: 'Markdown.', example: 'We are looking into it.' }),
    kind: z.enum(POST_KINDS).default('incident'),
    status: z.enum(POST_STATUSES).optional().meta({
      description: 'Left out: `investigating`, `monitoring` for an update, `scheduled` for maintenance.',
    }),
    systemIds: systemIds.default([]),
    scheduledStart: moment.nullable().default(null),
    scheduledEnd: moment.nullable().default(null),
    notify: z.boolean().default(true).meta({ description: 'Whether the subscribers of the page are mailed.' }),
  })
  .superRefine((post, context) => {
    for (const { path, message } of decidePostFaults(post)) context.addIssue({ code: 'custom', path: [path], message });
  })
  .meta({ id: 'StatusPagePostCreate' });
export type PostCreateInput = z.output<typeof postCreateSchema>;

export const postPatchSchema = z
  .strictObject({
    title: nameText.optional(),
    body: markdown.optional().meta({ description: 'Markdown that is added to the thread of the post.' }),
    status: z.enum(POST_STATUSES).optional().meta({ description: 'The new status, noted in the thread.' }),
    systemIds: systemIds.optional(),
    scheduledStart: moment.nullable().optional(),
    scheduledEnd: moment.nullable().optional(),
  })
  .meta({ id: 'StatusPagePostPatch', description: 'Fields that are left out keep their value.' });
export type PostPatchInput = z.output<typeof postPatchSchema>;
