import { z } from 'zod';
import { hasCredentials, instant, isoTimestamp, pageQuery, timeRangeQuery, uuid } from '../../platform/http/schemas.js';
import { tagList } from '../monitors/index.js';

/** For which marks are kept. */
export const KEPT_DAYS = 90;
const MAX_TAGS = 20;

const text = z.string().trim().min(1).max(500).describe('What happened, on a line').meta({ example: 'Deploy 4711' });
const TAGS = 'It concerns monitors with one of them; without any, all monitors';
const URL_OF = 'Where there is more about it';

export const markSchema = z
  .strictObject({
    id: uuid,
    at: isoTimestamp,
    text,
    tags: z.array(z.string()).describe(TAGS),
    url: z.string().nullable().describe(URL_OF),
    created: isoTimestamp,
  })
  .meta({ id: 'Mark' });

export const markInputSchema = z
  .strictObject({
    at: instant.optional().describe(`When it happened, up to ${KEPT_DAYS} days ago; default now`),
    text,
    tags: tagList(MAX_TAGS).default([]).describe(TAGS),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2000)
      .refine((url) => !hasCredentials(url), { error: 'must not contain credentials' })
      .nullable()
      .default(null)
      .describe(URL_OF),
  })
  .meta({ id: 'MarkInput' });

export const markListQuery = z.strictObject({ ...pageQuery.shape, ...timeRangeQuery.shape });

export type Mark = z.output<typeof markSchema>;
export type MarkInput = z.output<typeof markInputSchema>;
