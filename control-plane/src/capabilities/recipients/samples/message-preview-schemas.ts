import { z } from 'zod';
import { uuid } from '../../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES, ALERT_EVENT_TYPES } from '../../channels/index.js';

export const messagePreviewQuery = z.strictObject({
  monitorId: uuid
    .optional()
    .describe('The monitor that the messages are about; default the first one that the group is attached to, by name'),
});

export const messagePreviewSchema = z
  .strictObject({
    type: z.enum(ALERT_EVENT_TYPES).describe('The event that the message is about'),
    channel: z.enum(ACTION_GROUP_TYPES),
    tone: z.enum(['bad', 'warning', 'good', 'info']),
    title: z.string().describe('The subject of a mail, the heading in a chat'),
    sentences: z.array(z.string()).describe('What happened'),
    facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    links: z.array(z.strictObject({ label: z.string(), url: z.string() })),
    text: z.string().nullable().describe('The text of the mail or SMS; null for other channels'),
    body: z.record(z.string(), z.unknown()).nullable().describe('The JSON body of the request; null for mail and SMS'),
  })
  .meta({ id: 'MessagePreview' });

export type MessagePreview = z.output<typeof messagePreviewSchema>;
