import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { checkedText, durationSchema, isoTimestamp } from '../../../platform/http/schemas.js';
import { timeZone } from '../../workspaces/index.js';
import { IMPORTED_TOKEN } from './ping-token.js';
import { defineSettings, type SettingsOf, undescribed } from '../../../platform/http/define-settings.js';
import { cronFault } from './next-due.js';

export const everyInput = durationSchema({ minMs: MINUTE_MS, maxMs: 31 * DAY_MS });
export const cronInput = checkedText(200, (text) => [cronFault(text)].filter((fault) => fault !== null));

export const heartbeatSettings = defineSettings(
  'MonitorHeartbeat',
  'For type Heartbeat, and only for it: exactly one of `every` and `cron`. Naming one replaces the other.',
  {
    every: everyInput.nullable().meta({
      description: 'A ping is due this long after the former one, PT1M to P31D. Null with `cron`.',
      example: 'PT1H',
    }),
    cron: cronInput.nullable().meta({
      description:
        'When a ping is due, as a cron expression of five fields, understood as cronie does. Null with `every`. A field that begins ' +
        'with `*` is a star: the day of the month and the weekday must then both match, otherwise one of them. Where minute or hour ' +
        'is a star, it follows the clock of `timezone`; other times are due once where clocks repeat them, and at once where they ' +
        'skip them.',
      example: '30 2 * * 1-5',
    }),
    timezone: timeZone.nullable().meta({
      description: 'The IANA time zone of `cron`; that of the workspace where it is left out.',
      example: 'Europe/Dublin',
    }),
    grace: durationSchema({ minMs: MINUTE_MS, maxMs: DAY_MS }).meta({
      description: 'How late a ping may be before an incident opens, PT1M to P1D.',
      default: 'PT5M',
      example: 'PT5M',
    }),
    maxRuntime: durationSchema({ minMs: MINUTE_MS, maxMs: DAY_MS }).nullable().meta({
      description: 'How long a run may take from its `/start` to its end, PT1M to P1D; null for any time.',
      default: null,
      example: 'PT30M',
    }),
  },
);
export type HeartbeatSettings = SettingsOf<typeof heartbeatSettings.fields>;
export type HeartbeatInput = z.output<typeof heartbeatSettings.input>;

export const heartbeatCreateInput = heartbeatSettings.input
  .safeExtend({
    importedToken: z
      .string()
      .regex(IMPORTED_TOKEN, { error: 'must have 10 to 100 letters, digits, hyphens and underscores' })
      .optional()
      .meta({
        description:
          'On creation only: the token of the push address that the job calls in Uptime Kuma. `/api/push/{token}` of this ' +
          'service then reports for this monitor too, until its ping URL is rotated. Never answered.',
      }),
  })
  .meta({ ...heartbeatSettings.input.meta(), id: 'MonitorHeartbeatCreate' });

export const heartbeatSchema = z
  .strictObject({
    ...undescribed(heartbeatSettings.schema.shape),
    pingUrl: z
      .string()
      .nullable()
      .describe(
        'Where the job reports by GET, HEAD or POST: as it is after a success, with `/start`, `/fail`, `/log` or `/{exitCode}` (0 to 255) ' +
          'behind it. `?rid=` (1 to 64 of `A-Za-z0-9_-`) pairs a start with its end. Of a body the last 10 KiB are kept. At most 60 a ' +
          'minute. Shown to Editors and above, otherwise null: who knows it can report',
      ),
    lastPing: isoTimestamp.nullable().describe('null before the first one'),
    expectedBy: isoTimestamp
      .nullable()
      .describe(
        'Without a ping until then an incident opens: the next due time and `grace`. null before the first ping and while it is not enabled',
      ),
  })
  .meta({ id: 'MonitorHeartbeat' });
