import { z } from 'zod';
import { ALERT_EVENT_TYPES } from '../alert-event.js';
import { ACTION_GROUP_TYPES } from '../registry.js';

export const messagePreviewSchema = z
  .strictObject({
    type: z
      .enum([...ALERT_EVENT_TYPES, 'digest'])
      .describe('The event that the message is about; `digest`: one message about two incidents'),
    channel: z.enum(ACTION_GROUP_TYPES),
    tone: z.enum(['bad', 'warning', 'good', 'info']),
    title: z.string().describe('The subject of a mail, the heading in a chat'),
    sentences: z.array(z.string()).describe('What happened'),
    facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    links: z.array(z.strictObject({ label: z.string(), url: z.string() })),
    text: z.string().nullable().describe('The text of the mail or SMS; null for other channels'),
    body: z.record(z.string(), z.unknown()).nullable().describe('The JSON body of the request; null for mail and SMS'),
    templateFailure: z
      .string()
      .nullable()
      .describe('Why the template failed, so that the text is ours; null otherwise'),
  })
  .meta({ id: 'MessagePreview' });

export type MessagePreview = z.output<typeof messagePreviewSchema>;
