import { z } from 'zod';
import { nameText } from '../../platform/http/schemas.js';
import { type HeaderFault, headerFaults, trimHeaderValue } from '../monitors/index.js';
import type { WebhookUrlCheck } from './webhook-url.js';

/** The rules of this installation for the inputs of action groups. */
export interface AlertRules {
  webhookUrlFaults: WebhookUrlCheck;
}

const MAX_RECIPIENTS = 50;
const MAX_PHONE_NUMBERS = 20;
/** RFC 5321 §4.5.3.1: the length of an address, and of the part before the @. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

export const emailAddress = z
  .email('must be an email address, like ops@example.com')
  .max(MAX_ADDRESS)
  .refine((address) => address.indexOf('@') <= MAX_LOCAL_PART, {
    error: `must have at most ${MAX_LOCAL_PART} characters before the @`,
  });

export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164 notation, like +353871234567' })
  .meta({ example: '+353871234567' });

/** Removes duplicates. Addresses that differ only in case are the same mailbox in practice. */
function distinct(list: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const text of list) if (!known.has(text.toLowerCase())) known.set(text.toLowerCase(), text);
  return [...known.values()];
}

const headers = z
  .record(z.string(), z.string().transform(trimHeaderValue))
  .superRefine((value, context) => {
    for (const { name, message } of webhookHeaderFaults(value)) {
      context.addIssue({ code: 'custom', path: name === null ? [] : [name], message });
    }
  })
  .meta({
    description:
      'Sent with every notification; at most 50. Values of `Authorization`, `Cookie` and of any name with `token`, `secret`, `key`, ' +
      '`auth`, `password`, `session` or `signature` in it are stored encrypted and shown as `***`; sent back as `***` they stay as they are. Where `url` changes to another host or port, or from https to ' +
      'http, they must be given again. The map is replaced as a whole.',
    example: { Authorization: 'Bearer s3cr3t', 'X-Team': 'shop' },
  });

/** The inputs of creating and changing a group of each type. */
export function actionGroupInputSchemas({ webhookUrlFaults }: AlertRules) {
  const postUrl = (example: string, description: string) =>
    z
      .string()
      .min(1)
      .max(2_048)
      .superRefine((url, context) => {
        for (const message of webhookUrlFaults(url)) context.addIssue({ code: 'custom', message });
      })
      .meta({ format: 'uri', description, example });
  const chatUrl = (example: string) =>
    postUrl(example, 'The URL of the chat for incoming messages. It is stored encrypted and shown masked.');

  const fields = {
    name: nameText.meta({ example: 'On-call engineers' }),
    isEnabled: z.boolean().meta({ description: 'false: nothing is sent to the group. Defaults to true on creation.' }),
  };
  const email = z.strictObject({
    ...fields,
    recipients: z.array(emailAddress).min(1).max(MAX_RECIPIENTS).transform(distinct),
  });
  const sms = z.strictObject({
    ...fields,
    phoneNumbers: z.array(phoneNumber).min(1).max(MAX_PHONE_NUMBERS).transform(distinct),
  });
  const webhook = z.strictObject({
    ...fields,
    url: postUrl(
      'https://hooks.example.com/watchpost',
      'https://, or http:// inside WEBHOOK_ALLOW_CIDRS. A query is stored encrypted and shown as `?***`.',
    ),
    headers,
  });
  const slack = z.strictObject({
    ...fields,
    webhookUrl: chatUrl('https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX'),
  });
  const teams = z.strictObject({
    ...fields,
    webhookUrl: chatUrl('https://acme.webhook.office.com/webhookb2/00000000-0000-0000-0000-000000000000'),
  });
  const optional = { isEnabled: true } as const;
  return {
    email: {
      create: email.partial(optional).meta({ id: 'EmailActionGroupCreate' }),
      update: email.partial().meta({ id: 'EmailActionGroupUpdate' }),
    },
    sms: {
      create: sms.partial(optional).meta({ id: 'SmsActionGroupCreate' }),
      update: sms.partial().meta({ id: 'SmsActionGroupUpdate' }),
    },
    webhook: {
      create: webhook.partial({ isEnabled: true, headers: true }).meta({ id: 'WebhookActionGroupCreate' }),
      update: webhook.partial().meta({ id: 'WebhookActionGroupUpdate' }),
    },
    slack: {
      create: slack.partial(optional).meta({ id: 'SlackActionGroupCreate' }),
      update: slack.partial().meta({ id: 'SlackActionGroupUpdate' }),
    },
    teams: {
      create: teams.partial(optional).meta({ id: 'TeamsActionGroupCreate' }),
      update: teams.partial().meta({ id: 'TeamsActionGroupUpdate' }),
    },
  };
}
export type ActionGroupInputs = ReturnType<typeof actionGroupInputSchemas>;

/** Headers that the service sets itself, those of Standard Webhooks included. */
const OWN = /^(?:content-.*|webhook-.*)$/i;

/** Returns the faults of custom headers of a webhook. */
export function webhookHeaderFaults(headers: Readonly<Record<string, string>>): HeaderFault[] {
  const own = Object.keys(headers).filter((name) => OWN.test(name));
  return [
    ...headerFaults(headers),
    ...own.map((name) => ({ name, message: 'is set by the service and cannot be customized' })),
  ];
}
