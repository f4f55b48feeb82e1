import { type HeaderFault, headerFaults, trimHeaderValue } from '@watchpost/shared/header-faults';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { z, type ZodType } from 'zod';
import { emailAddress, mapFromNames, phoneNumber } from '../../../platform/http/schemas.js';
import { isMaskedUrl } from '../../../platform/http/masked-url.js';
import type { WebhookUrlCheck } from './webhook-url.js';

/** The rules of this installation for the inputs of action groups. */
export interface AlertRules {
  webhookUrlFaults: WebhookUrlCheck;
}

/** A field of the groups of a channel, in requests, answers, documents and forms. */
export interface ChannelField {
  readonly name: string;
  /** The label of a form. */
  readonly title: string;
  readonly kind: FieldKind;
  /** Default true. */
  readonly isRequired?: boolean;
  /** What a value has to look like, if its kind does not state it, and the fault of any other. */
  readonly pattern?: { readonly is: RegExp; readonly fault: string };
  /** A value as people write it. */
  readonly example: string;
  /** Where people find the value, in a sentence or two. */
  readonly help: string;
}

/** The secret URL at which a chat takes messages. */
export function webhookUrlField(given: Pick<ChannelField, 'example' | 'help' | 'isRequired'>): ChannelField {
  return { name: 'webhookUrl', title: 'Webhook URL', kind: 'secretUrl', ...given };
}

interface Kind {
  /** Whether answers show the value in part only. */
  isSecret: boolean;
  input(field: ChannelField, rules: AlertRules): ZodType;
  shown(field: ChannelField): ZodType;
}

const MAX_RECIPIENTS = 50;
const MAX_PHONE_NUMBERS = 20;
const MAX_TEXT = 500;

const text = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT)
  .refine((value) => !/\p{Cc}/u.test(value), { error: 'must not contain control characters' });

const headers = mapFromNames(z.string().transform(trimHeaderValue), webhookHeaderFaults);

/** Every kind of field: what it accepts, and what answers show of it. `decide-group-content.ts` has what is stored. */
const FIELD_KINDS = {
  emails: {
    isSecret: false,
    input: () => z.array(emailAddress).min(1).max(MAX_RECIPIENTS).transform(distinct),
    shown: () => z.array(z.string()),
  },
  phones: {
    isSecret: false,
    input: () => z.array(phoneNumber).min(1).max(MAX_PHONE_NUMBERS).transform(distinct),
    shown: () => z.array(z.string()),
  },
  url: {
    isSecret: false,
    input: (field, rules) =>
      urlInput(
        field,
        rules,
        'https://, or http:// inside WEBHOOK_ALLOW_CIDRS. A query is stored encrypted and shown as `?***`.',
      ),
    shown: () => z.string().describe('A query is shown as `?***`; sent back so, it stays as it is'),
  },
  secretUrl: {
    isSecret: true,
    input: (field, rules) => urlInput(field, rules, `${field.help} It is stored encrypted and shown masked.`),
    shown: ({ example }) =>
      z.string().meta({
        description: 'Masked: host and last 4 characters',
        example: `https://${new URL(example).host}/***a1B2`,
      }),
  },
  headers: {
    isSecret: false,
    input: () =>
      headers.meta({
        description:
          'Sent with every notification; at most 50. Values of `Authorization`, `Cookie` and of any name with `token`, `secret`, `key`, ' +
          '`auth`, `password`, `session` or `signature` in it are stored encrypted and shown as `***`; sent back as `***` they stay as they are. Where `url` changes to another host or port, or from https to ' +
          'http, they must be given again. The map is replaced as a whole.',
        example: { Authorization: 'Bearer s3cr3t', 'X-Team': 'shop' },
      }),
    shown: () => z.record(z.string(), z.string()).describe('Secret values are shown as `***`'),
  },
  secret: {
    isSecret: true,
    input: ({ help, example }) =>
      text.meta({ description: `${help} It is stored encrypted and shown as \`***\`.`, example }),
    shown: () => z.enum([MASK]),
  },
  text: {
    isSecret: false,
    input: ({ help, example }) => text.meta({ description: help, example }),
    shown: () => z.string(),
  },
} satisfies Record<string, Kind>;

type FieldKind = keyof typeof FIELD_KINDS;
export const FIELD_KIND_NAMES = Object.keys(FIELD_KINDS) as [FieldKind, ...FieldKind[]];

export function kindOf(field: ChannelField): Kind {
  const kind = withPattern(FIELD_KINDS[field.kind], field.pattern);
  if (field.isRequired !== false || field.kind === 'headers') return kind;
  return {
    isSecret: kind.isSecret,
    input: (...given) => kind.input(...given).nullable(),
    shown: (shown) => kind.shown(shown).nullable(),
  };
}

/** A mask passes: it keeps the value that is stored. */
function withPattern(kind: Kind, pattern: ChannelField['pattern']): Kind {
  if (!pattern) return kind;
  const fits = (value: unknown) => value === MASK || isMaskedUrl(String(value)) || pattern.is.test(String(value));
  return { ...kind, input: (...given) => kind.input(...given).refine(fits, { error: pattern.fault }) };
}

function urlInput({ example }: ChannelField, { webhookUrlFaults }: AlertRules, description: string): ZodType {
  return z
    .string()
    .min(1)
    .max(2_048, { abort: true })
    .superRefine((url, context) => {
      for (const message of webhookUrlFaults(url)) context.addIssue({ code: 'custom', message });
    })
    .meta({ format: 'uri', description, example });
}

/** Removes duplicates. Addresses that differ only in case are the same mailbox in practice. */
function distinct(list: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const each of list) if (!known.has(each.toLowerCase())) known.set(each.toLowerCase(), each);
  return [...known.values()];
}

/** Headers that the service sets itself, those of Standard Webhooks included. */
const OWN = /^(?:content-.*|webhook-.*)$/i;

export function webhookHeaderFaults(given: Readonly<Record<string, unknown>>): HeaderFault[] {
  const own = Object.keys(given).filter((name) => OWN.test(name));
  return [
    ...headerFaults(given),
    ...own.map((name) => ({ name, message: 'is set by the service and cannot be customized' })),
  ];
}
