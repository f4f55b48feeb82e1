import { managedBySchema } from '../managed-objects/index.js';
import { z } from 'zod';
import { isoTimestamp, nameText, uuid } from '../../platform/http/schemas.js';
import type { ApiAnswer } from '../../platform/http/route.js';
import type { ActionGroupType, RevealedGroup } from './action-group.js';

const shown = <Type extends ActionGroupType, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.strictObject({
    id: uuid,
    name: nameText,
    type: z.literal(type),
    isEnabled: z.boolean().describe('false: nothing is sent to the group'),
    monitorCount: z.int().min(0).describe('The number of monitors that the group is attached to'),
    ...fields,
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  });

const people = {
  recipientsPending: z
    .array(z.string())
    .describe(
      'Recipients that have not confirmed by the link or code that they were sent. No alerts are sent to them. On Starter and during a trial, and on every plan where the operator requires it, every recipient confirms once that is not the verified address of a member.',
    ),
  recipientsRefused: z
    .array(z.string())
    .describe('Recipients that refused alerts and further requests: nothing is sent to them, on any plan'),
};

const webhookFields = {
  url: z.string().describe('A query is shown as `?***`; sent back so, it stays as it is'),
  headers: z.record(z.string(), z.string()).describe('Secret values are shown as `***`'),
};
const chatFields = (host: string) => ({
  webhookUrl: z
    .string()
    .meta({ description: 'Masked: host and last 4 characters', example: `https://${host}/***a1B2` }),
});

/** The groups of each type in answers. */
export const actionGroupSchemas = {
  email: shown('email', { recipients: z.array(z.string()), ...people }).meta({ id: 'EmailActionGroup' }),
  sms: shown('sms', { phoneNumbers: z.array(z.string()), ...people }).meta({ id: 'SmsActionGroup' }),
  webhook: shown('webhook', webhookFields).meta({ id: 'WebhookActionGroup' }),
  slack: shown('slack', chatFields('hooks.slack.com')).meta({ id: 'SlackActionGroup' }),
  teams: shown('teams', chatFields('acme.webhook.office.com')).meta({ id: 'TeamsActionGroup' }),
} satisfies Record<ActionGroupType, z.ZodType>;
type ShownGroup = (typeof actionGroupSchemas)[ActionGroupType];

/** The same, with the signing secret of a webhook, which only one answer contains. */
export const revealedGroupSchemas = {
  ...actionGroupSchemas,
  webhook: shown('webhook', {
    ...webhookFields,
    secret: z.string().meta({
      description: 'Signs the messages (Standard Webhooks). It is shown only once: keep it.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/3rZ0dUo1vM=',
    }),
  }).meta({ id: 'WebhookActionGroupWithSecret' }),
};

export const actionGroupSchema = z
  .discriminatedUnion('type', Object.values(actionGroupSchemas) as [ShownGroup, ...ShownGroup[]])
  .meta({ id: 'ActionGroup' });

/** A monitor that a group is attached to. */
export const groupMonitorSchema = z.strictObject({ monitorId: uuid, name: z.string() }).meta({ id: 'GroupMonitor' });

export type ActionGroupView = z.output<typeof actionGroupSchema>;
export type GroupMonitor = z.output<typeof groupMonitorSchema>;

/** Returns the answer that reveals a secret. Its `ETag` is that of the group without the secret, as in later answers. */
export function answerRevealed({ group, secret }: RevealedGroup): ApiAnswer {
  return secret === null ? { body: group } : { body: { ...group, secret }, resource: group };
}
