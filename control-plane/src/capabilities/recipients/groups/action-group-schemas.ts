import { z, type ZodObject } from 'zod';
import type { ApiAnswer } from '../../../platform/http/route.js';
import { isoTimestamp, nameText, uuid } from '../../../platform/http/schemas.js';
import { managedBySchema } from '../../../platform/documents/managed-by.js';
import type { ActionGroup, RevealedGroup } from './action-group.js';
import {
  type ActionGroupType,
  type Channel,
  channelOf,
  CHANNEL_CATEGORIES,
  CHANNELS,
  FIELD_KIND_NAMES,
  kindOf,
} from '../../channels/index.js';
import { groupRulesShown } from '../../group-settings/index.js';

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

const attachTo = z.strictObject({ tags: z.array(z.string()), all: z.boolean() }).meta({
  id: 'AttachTo',
  description: 'Which monitors have the group beside those that it is attached to one by one',
});

const shown = ({ type, fields, isPersonal }: Channel, more: z.ZodRawShape = {}) =>
  z.strictObject({
    id: uuid,
    name: nameText,
    type: z.literal(type),
    isEnabled: z.boolean().describe('false: nothing is sent to the group'),
    attachTo,
    monitorCount: z.int().min(0).describe('The number of monitors that have the group, one by one or by `attachTo`'),
    ...groupRulesShown.shape,
    ...Object.fromEntries(fields.map((field) => [field.name, kindOf(field).shown(field)])),
    ...(isPersonal ? people : {}),
    ...more,
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  });

const schemas = new Map<string, ZodObject>(
  CHANNELS.map((channel) => [channel.type, shown(channel).meta({ id: `${channel.id}ActionGroup` })]),
);
const revealed = new Map<string, ZodObject>(
  CHANNELS.filter(({ isSigned }) => isSigned).map((channel) => [
    channel.type,
    shown(channel, {
      secret: z.string().meta({
        description: 'Signs the messages (Standard Webhooks). It is shown only once: keep it.',
        example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/3rZ0dUo1vM=',
      }),
    }).meta({ id: `${channel.id}ActionGroupWithSecret` }),
  ]),
);

export function actionGroupSchemaOf(type: ActionGroupType): ZodObject {
  return schemas.get(channelOf(type).type)!;
}

/** The same, with the signing secret of a webhook, which only one answer contains. */
export function revealedGroupSchemaOf(type: ActionGroupType): ZodObject {
  return revealed.get(type) ?? actionGroupSchemaOf(type);
}

export const actionGroupSchema = z
  .discriminatedUnion('type', [...schemas.values()] as [ZodObject, ...ZodObject[]])
  .meta({ id: 'ActionGroup' });

export const groupMonitorSchema = z.strictObject({ monitorId: uuid, name: z.string() }).meta({ id: 'GroupMonitor' });

export const channelSchema = z
  .strictObject({
    type: z.string(),
    title: z.string().meta({ description: 'In a sentence', example: 'Slack' }),
    category: z.enum(CHANNEL_CATEGORIES).describe('Where people look for it'),
    fields: z.array(
      z.strictObject({
        name: z.string(),
        title: z.string().describe('The label of a form'),
        kind: z.enum(FIELD_KIND_NAMES).describe('`emails`, `phones`: lists. `headers`: a map. The others are texts.'),
        required: z.boolean(),
        secret: z.boolean().describe('true: answers show it in part only, and an omitted one stays as it is'),
        example: z.string(),
        help: z.string(),
      }),
    ),
    alternatives: z
      .array(z.array(z.string()))
      .describe(
        'Sets of optional fields, of which a group has exactly one; empty: the fields do not exclude each other',
      ),
    personal: z.boolean().describe('Whether it sends to addresses of people, who may have to confirm first'),
    signed: z.boolean().describe('Whether messages are signed with a secret that can be rotated'),
    madeWithMonitor: z
      .boolean()
      .describe('Whether a group is created with a monitor, under its address, and by no other request'),
    canEdit: z.boolean().describe('Whether one message is edited while its incident changes'),
    canAcknowledge: z.boolean().describe('Whether the message has a button that acknowledges'),
  })
  .meta({ id: 'Channel' });

export type ActionGroupView = ActionGroup;
export type ChannelView = z.output<typeof channelSchema>;
export type ChannelFieldView = ChannelView['fields'][number];
export type GroupMonitor = z.output<typeof groupMonitorSchema>;

/** Returns the answer that reveals a secret. Its `ETag` is that of the group without the secret, as in later answers. */
export function answerRevealed({ group, secret }: RevealedGroup): ApiAnswer {
  return secret === null ? { body: group } : { body: { ...group, secret }, resource: group };
}
