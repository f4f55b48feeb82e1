import { z } from 'zod';
import { ACTION_GROUP_TYPES } from '../channels/index.js';
import { isoTimestamp, uuid } from '../../platform/http/schemas.js';

export const evidenceLinkSchema = z
  .strictObject({
    id: uuid,
    created: isoTimestamp,
    channel: z
      .enum([...ACTION_GROUP_TYPES, 'any'])
      .describe('The messages that carry it; `any`: somebody shared it, or it was issued before links were kept'),
    expiresAt: isoTimestamp.nullable().describe('null while the incident is open, then 30 days after it was closed'),
  })
  .meta({ id: 'EvidenceLink' });

export const sharedLinkSchema = evidenceLinkSchema
  .extend({
    url: z.url().meta({ example: 'https://watchpost.example/incident/AZ4fXqk0dG9rZW4' }),
  })
  .meta({ id: 'SharedEvidenceLink' });

export type EvidenceLink = z.output<typeof evidenceLinkSchema>;
