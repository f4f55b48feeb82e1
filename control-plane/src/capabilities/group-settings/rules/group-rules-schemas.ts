import { formatDuration } from '@watchpost/shared/duration';
import { SEVERITIES } from '@watchpost/shared/incident-types';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { durationSchema, isoDuration, timeOfDay } from '../../../platform/http/schemas.js';
import { WEEKDAYS } from '../../on-call/index.js';
import { templateFault } from '../../channels/index.js';
import { timeZone } from '../../workspaces/index.js';

const MOST_TEMPLATE_BYTES = 8_192;

const distinct = <Value>(values: Value[]): Value[] => [...new Set(values)];
/** A duration that is stored and shown in its canonical spelling. */
const duration = (minMs: number, maxMs: number) => durationSchema({ minMs, maxMs }).transform(formatDuration);

const hours = z
  .strictObject({
    timezone: timeZone,
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .overwrite(distinct)
      .meta({ description: 'On which the hours begin', example: ['monday', 'friday'] }),
    start: timeOfDay,
    end: timeOfDay.meta({ description: 'Before `start`: on the next day', example: '17:30' }),
    outside: z
      .enum(['hold', 'drop'])
      .describe(
        '`hold`: when the hours begin, what is still true is sent; an incident that began and ended meanwhile is not. `drop`: nothing is.',
      ),
  })
  .refine(({ start, end }) => start !== end, { path: ['end'], error: 'must differ from `start`' });

const DESCRIPTIONS = {
  severities:
    'Events of incidents of these severities are sent; expiring certificates and changes of DNS are warnings. An incident that becomes one of these is sent then, and its end to everybody who was notified of it.',
  delay:
    'An incident is sent only if it is open and not acknowledged after this time, and only then its changes and its end.',
  hours: 'When messages are sent; null: always. Pages to people on call do not obey them.',
  repeatEvery: 'How often an incident is sent again while it is open and not acknowledged; null: never',
  digestAfter: 'From so many waiting messages on they are sent as one; null: never',
  template:
    'A Liquid text of at most 8 KiB: its first line is the title, the others replace our sentences; null: ours. It has `monitor`, `incident`, `event` (`type`, `timestamp`, `detail`) and `workspace` (`id`, `name`), as webhooks do. `events` are all that a message contains, each with its monitor and incident: a message about several is by the template only if it reads them.',
};

/** The rules of a group as callers give them: when it is notified, and how. */
export const groupRulesInput = z.strictObject({
  severities: z
    .array(z.enum(SEVERITIES))
    .min(1)
    .overwrite((given) => SEVERITIES.filter((one) => given.includes(one)))
    .meta({ description: `${DESCRIPTIONS.severities} Default all.`, example: ['down'] }),
  delay: duration(0, 2 * HOUR_MS).meta({
    description: `${DESCRIPTIONS.delay} Up to PT2H; default PT0S.`,
    example: 'PT5M',
  }),
  hours: hours.nullable().describe(DESCRIPTIONS.hours),
  repeatEvery: duration(15 * MINUTE_MS, DAY_MS)
    .nullable()
    .meta({ description: `${DESCRIPTIONS.repeatEvery}. From PT15M to P1D.`, example: 'PT1H' }),
  digestAfter: z.int().min(2).max(100).nullable().meta({ description: DESCRIPTIONS.digestAfter, example: 10 }),
  template: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= MOST_TEMPLATE_BYTES, { error: 'must have at most 8 KiB', abort: true })
    .superRefine((text, context) => {
      const message = templateFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .nullable()
    .meta({
      description: DESCRIPTIONS.template,
      example: '{{ monitor.name }}: {{ event.type }}\nSince {{ incident.started }}: {{ incident.failureReason }}',
    }),
});

export const groupRulesShown = groupRulesInput.extend({
  delay: isoDuration.describe(DESCRIPTIONS.delay),
  repeatEvery: isoDuration.nullable().describe(DESCRIPTIONS.repeatEvery),
  template: z.string().nullable().describe(DESCRIPTIONS.template),
});

export type GroupRules = z.output<typeof groupRulesInput>;
/** The rules of a group that differ from the default, as they are stored. */
export type StoredRules = Partial<GroupRules>;

const DEFAULT: GroupRules = {
  severities: [...SEVERITIES],
  delay: 'PT0S',
  hours: null,
  repeatEvery: null,
  digestAfter: null,
  template: null,
};
const NAMES = Object.keys(DEFAULT) as (keyof GroupRules)[];

export function wholeRules(stored: StoredRules): GroupRules {
  return { ...DEFAULT, ...stored };
}

/** Returns what is stored after an input, in which other fields may be too; an omitted rule stays as it is. */
export function changedRules(stored: StoredRules, input: Readonly<Record<string, unknown>>): StoredRules {
  const after = {
    ...stored,
    ...Object.fromEntries(NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]]))),
  };
  return Object.fromEntries(
    NAMES.flatMap((name) =>
      after[name] === undefined || isDeepStrictEqual(after[name], DEFAULT[name]) ? [] : [[name, after[name]]],
    ),
  );
}
