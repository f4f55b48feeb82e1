import { managedBySchema } from '../../platform/documents/managed-by.js';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { z } from 'zod';
import { defineSettings, undescribed, withoutRepeats } from '../../platform/http/define-settings.js';
import {
  durationSchema,
  isoTimestamp,
  nameText,
  pageQuery,
  plannedInstant,
  plannedLocalTimeFault,
  timeRangeQuery,
  uuid,
} from '../../platform/http/schemas.js';
import { tagList } from '../monitors/index.js';
import { timeZone } from '../workspaces/index.js';
import { parseRecurrence } from './recurrence.js';

export const WINDOW_STATES = ['scheduled', 'active', 'finished'] as const;
export type WindowState = (typeof WINDOW_STATES)[number];
export const CHECKS_IN_WINDOW = ['run', 'pause'] as const;
export const MIN_DURATION_MS = 5 * MINUTE_MS;
export const MAX_DURATION_MS = 7 * DAY_MS;
/** The most occurrences in an answer. */
export const MAX_OCCURRENCES = 366;
/** How many a preview contains. */
export const PREVIEWED_OCCURRENCES = 5;
/** The most monitors, and service groups, that a window names. */
export const MAX_TARGETS = 500;
const MAX_SCOPE_TAGS = 50;
const MAX_PAGES = 20;

const withoutZeroSeconds = (text: string) => text.replace(/:00$/, (zeros, at: number) => (at === 16 ? '' : zeros));

const localTime = z
  .string()
  .superRefine((text, context) => {
    const message = plannedLocalTimeFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .transform(withoutZeroSeconds)
  .meta({ description: 'Local date and time in `timezone`, without offset', example: '2027-03-28T02:00' });

const localTimeOrNow = z
  .string()
  .superRefine((text, context) => {
    const message = text === 'now' ? null : plannedLocalTimeFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message: `${message}; or "now"` });
  })
  .transform(withoutZeroSeconds)
  .meta({
    description: 'Local date and time in `timezone`, without offset; or `now`',
    example: '2027-03-28T02:00',
  });

const recurrenceText = z
  .string()
  .trim()
  .max(300)
  .transform((text) => text.toUpperCase().replace(/^RRULE:/, ''))
  .superRefine((text, context) => {
    const parsed = parseRecurrence(text);
    if ('faults' in parsed) for (const message of parsed.faults) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'RFC 5545 RRULE with FREQ (DAILY, WEEKLY, MONTHLY), INTERVAL, BYDAY, BYMONTHDAY, and COUNT or UNTIL (a date, local time, ' +
      'or UTC with Z); null: once. Weeks begin on Monday. A day that a month does not have is left out.',
    example: 'FREQ=WEEKLY;BYDAY=SU',
  });

const scopeInput = z
  .strictObject({
    monitorIds: z.array(uuid).max(MAX_TARGETS).transform(withoutRepeats).default([]),
    serviceGroupIds: z.array(uuid).max(MAX_TARGETS).transform(withoutRepeats).default([]),
    tags: tagList(MAX_SCOPE_TAGS).default([]),
    all: z.boolean().default(false).meta({ description: 'Every monitor of the workspace' }),
  })
  .refine(
    ({ monitorIds, serviceGroupIds, tags, all }) => all || monitorIds.length + serviceGroupIds.length + tags.length > 0,
    {
      error: 'must name at least one of monitorIds, serviceGroupIds, tags and all',
    },
  )
  .meta({
    id: 'MaintenanceScopeInput',
    description:
      'Which monitors are covered: those that any of these names. Groups and tags count as they are at the time: a monitor that ' +
      'joins or leaves while the window runs is covered from or until then.',
  });
export type ScopeInput = z.output<typeof scopeInput>;

export const windowSettings = defineSettings('MaintenanceWindowSettings', 'A maintenance window.', {
  name: nameText.meta({ example: 'Deploys' }),
  description: z.string().trim().max(2_000),
  startsAt: localTime,
  timezone: timeZone,
  duration: durationSchema({ minMs: MIN_DURATION_MS, maxMs: MAX_DURATION_MS }).meta({
    description: 'Elapsed time, PT5M to P7D; not longer than the time to the next occurrence',
    example: 'PT1H',
  }),
  recurrence: recurrenceText.nullable(),
  scope: scopeInput,
  checks: z
    .enum(CHECKS_IN_WINDOW)
    .meta({ description: '`run`: checks go on and their results are stored. `pause`: agents do not probe.' }),
  statusPageIds: z
    .array(uuid)
    .max(MAX_PAGES)
    .transform(withoutRepeats)
    .meta({ description: 'Status pages that announce it and show affected systems as `maintenance`' }),
  notifySubscribers: z.boolean().meta({
    description:
      'Whether subscribers of these status pages are mailed: 24 hours before each occurrence, or at once where that is past, at ' +
      'its end, and where an announced one is moved or cancelled',
  }),
});
const { fields } = windowSettings;

export const windowCreateSchema = z
  .strictObject({
    ...fields,
    description: fields.description.default(''),
    startsAt: localTimeOrNow,
    timezone: fields.timezone.optional().meta({ description: 'IANA time zone; default: that of the workspace' }),
    recurrence: fields.recurrence.default(null),
    checks: fields.checks.default('run'),
    statusPageIds: fields.statusPageIds.default([]),
    notifySubscribers: fields.notifySubscribers.default(false),
  })
  .meta({ id: 'MaintenanceWindowCreate' });
export type WindowCreateInput = z.output<typeof windowCreateSchema>;

export const windowUpdateSchema = z.strictObject(fields).partial().meta({
  id: 'MaintenanceWindowUpdate',
  description: 'Fields that are left out keep their value; `scope` is replaced as a whole.',
});
export type WindowUpdateInput = z.output<typeof windowUpdateSchema>;

export const occurrenceSchema = z
  .strictObject({ start: isoTimestamp, end: isoTimestamp })
  .meta({ id: 'MaintenanceOccurrence', description: 'Half-open, in UTC' });
export type OccurrenceView = z.output<typeof occurrenceSchema>;

export const windowSchema = z
  .strictObject({
    id: uuid,
    ...undescribed(windowSettings.schema.shape),
    scope: z
      .strictObject({
        monitorIds: z.array(uuid),
        serviceGroupIds: z.array(uuid),
        tags: z.array(z.string()),
        all: z.boolean(),
      })
      .meta({ id: 'MaintenanceScope' }),
    state: z.enum(WINDOW_STATES).describe('`active` while an occurrence runs; `finished` when no other comes'),
    activeUntil: isoTimestamp.nullable().describe('When the running occurrence ends; null while none runs'),
    nextOccurrence: occurrenceSchema.nullable().describe('The next one that has not begun; null where there is none'),
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'MaintenanceWindow' });
export type WindowView = z.output<typeof windowSchema>;

export const windowListQuery = z.strictObject({
  ...pageQuery.shape,
  state: z.enum(WINDOW_STATES).optional().describe('Only those in this state'),
});

export const occurrenceQuery = z.strictObject({
  startDate: timeRangeQuery.shape.startDate.meta({ description: 'Only what ends after this moment; default: now' }),
  endDate: timeRangeQuery.shape.endDate.meta({
    description: 'Only what begins before this moment; default: a year after the start',
  }),
});

const MAX_CALENDAR_DAYS = 62;

export const calendarQuery = z
  .strictObject({
    startDate: plannedInstant.describe('Only what ends after this moment'),
    endDate: plannedInstant.describe(`Only what begins before this moment, at most ${MAX_CALENDAR_DAYS} days later`),
  })
  .refine(({ startDate, endDate }) => endDate - startDate <= MAX_CALENDAR_DAYS * DAY_MS, {
    path: ['endDate'],
    error: `must be at most ${MAX_CALENDAR_DAYS} days after \`startDate\``,
  });

export const calendarEntrySchema = z
  .strictObject({ windowId: uuid, name: z.string(), ...occurrenceSchema.shape })
  .meta({ id: 'MaintenanceCalendarEntry', description: 'An occurrence with its window' });
export type CalendarEntry = z.output<typeof calendarEntrySchema>;

export const previewQuery = z.strictObject({
  startsAt: localTimeOrNow,
  timezone: fields.timezone.optional().meta({ description: 'IANA time zone; default: that of the workspace' }),
  duration: fields.duration,
  recurrence: recurrenceText.optional().meta({ description: 'As in a window; left out: once' }),
});
export type PreviewInput = z.output<typeof previewQuery>;
