import { managedBySchema } from '../../platform/documents/managed-by.js';
import { z } from 'zod';
import { assertionResultSchema } from '@watchpost/shared/assertions/assertion';
import { addressFields, addressWarnings } from '@watchpost/shared/address-schemas';
import { pingFigures } from '@watchpost/shared/ping-figures';
import { phases, stepResults } from '@watchpost/shared/steps/step-results';
import { MONITOR_TYPES, MONITORING_STATUSES } from '@watchpost/shared/monitor-types';
import { isoTimestamp, pageQuery, uuid, shownPlace } from '../../platform/http/schemas.js';
import { heartbeatSchema } from './heartbeat/heartbeat-settings-schemas.js';
import { undescribed } from '../../platform/http/define-settings.js';
import { COUNTED_STATES } from './monitor-filter.js';
import { generalSettings } from './settings/general-settings-schemas.js';
import type { MonitorSettingsView } from './settings/describe-settings.js';
import { GROUPED_SETTINGS, type GroupedSettings } from './settings/monitor-settings.js';
import { groupingText, MAX_TAGS, normalizeTags, tagText } from './settings/tags.js';

export { monitorInputSchemas, type MonitorRules } from './settings/monitor-input-schemas.js';

const HEALTH_STATUSES = ['available', 'unavailable', 'degraded'] as const;
const SHOWN_HEALTH = [...HEALTH_STATUSES, 'unknown'] as const;
/** The orders of the list; the first is the default. */
export const MONITOR_SORTS = [
  '-created',
  'name',
  'health',
  'certificate',
  'lastChecked',
  'uptime',
  '-uptime',
  'p95',
  '-p95',
] as const;

const monitorAddress = z
  .strictObject({
    ...addressFields,
    ...shownPlace,
    since: isoTimestamp.describe('The first of the checks in a row that found it so'),
    certificateFingerprint: z
      .string()
      .nullable()
      .meta({ description: 'SHA-256; null without a certificate', example: 'AB:CD:EF' }),
  })
  .meta({ id: 'MonitorAddress' });

const testResult = z
  .strictObject({
    responseTime: z.number().meta({ description: 'ms', example: 128.4 }),
    statusCode: z.int().nullable().describe('null where no answer came'),
    wasAvailable: z.boolean().nullable().describe('null where the result is inconclusive'),
    started: isoTimestamp,
    ended: isoTimestamp,
    failureReason: z.string().nullable().describe('null where the check was fine'),
    assertions: z
      .array(assertionResultSchema)
      .nullable()
      .describe(
        'All assertions of the check where one of them failed, passed ones too; null where none did, or no answer came',
      ),
    addressWarnings: addressWarnings.optional(),
    phases: phases.optional(),
    steps: stepResults.optional(),
    ping: pingFigures.optional(),
  })
  .meta({ id: 'MonitorTestResult' });

const latestIncident = z
  .strictObject({
    id: uuid,
    status: z.enum(['Ongoing', 'Investigating', 'Resolved']),
    started: isoTimestamp,
    ended: isoTimestamp.nullable(),
    failureReason: z.string(),
  })
  .meta({ id: 'MonitorLatestIncident' });

const monitorRegion = z
  .strictObject({
    ...shownPlace,
    status: z
      .enum(['available', 'unavailable', 'awaitingFirstChecks', 'stale'])
      .describe(
        '`stale`: there is no fresh conclusive result from there; `awaitingFirstChecks`: there was never a result',
      ),
    lastChecked: isoTimestamp.nullable(),
  })
  .meta({ id: 'MonitorRegion' });

const sslStatus = z
  .strictObject({
    checkedAt: isoTimestamp,
    isValid: z.boolean().nullable().describe('null where no certificate was seen'),
    daysUntilExpiry: z.int().nullable().describe('Whole days, rounded down; negative once it has expired'),
    subject: z.string().nullable(),
    issuer: z.string().nullable(),
    validFrom: isoTimestamp.nullable(),
    validTo: isoTimestamp.nullable(),
    failureReason: z.string().nullable().describe('null where the check was fine'),
    ...shownPlace,
  })
  .meta({ id: 'MonitorSslStatus', description: 'The latest check of its certificate; all of it is at `ssl-status`' });

const groups = Object.fromEntries(Object.entries(GROUPED_SETTINGS).map(([group, { schema }]) => [group, schema])) as {
  [Group in keyof GroupedSettings]: (typeof GROUPED_SETTINGS)[Group]['schema'];
};

export const monitorSchema = z
  .strictObject({
    id: uuid,
    workspaceId: uuid,
    ...undescribed(generalSettings.schema.shape),
    ...groups,
    heartbeat: heartbeatSchema.nullable().describe('null for every other type'),
    healthStatus: z
      .enum(HEALTH_STATUSES)
      .nullable()
      .describe('null before the first result and while it is unknown: paused, or without fresh results'),
    lastChecked: isoTimestamp.nullable().describe('When the latest check of any region ended'),
    nextCheck: isoTimestamp.nullable().describe('When the next check of any region is due; null while none is'),
    latestTestResult: testResult
      .nullable()
      .describe('The latest check of any region: of availability where that is checked; null before the first'),
    latestIncident: latestIncident.nullable().describe('null when it has had none'),
    regions: z
      .array(monitorRegion)
      .describe('Every region that it is checked from, the home region first; none for Heartbeat'),
    addresses: z
      .array(monitorAddress)
      .describe('With `addresses: each`: every address that the latest check of each region found; otherwise empty'),
    addressWarnings,
    sslStatus: sslStatus.nullable().describe('null until its certificate was checked'),
    lastDay: z
      .strictObject({
        until: isoTimestamp,
        uptimePercentage: z.number().nullable(),
        p95: z.number().nullable(),
      })
      .nullable()
      .meta({ id: 'MonitorLastDay', description: 'Of 24 hours, outside maintenance; p95 in ms' }),
    planRestricted: z.array(z.string()).meta({
      description: 'What is kept and not run because the plan does not cover it: types, regions, `checkTimeout`',
      example: ['japaneast'],
    }),
    maintenance: z.strictObject({ windowId: uuid, until: isoTimestamp }).nullable().meta({
      id: 'MonitorMaintenance',
      description: 'The maintenance window that covers it now; of several, the one that ends last. null: none does',
    }),
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'Monitor' });
export type MonitorView = z.output<typeof monitorSchema>;

/** The console's form of a monitor: the settings that it changes. */
export type MonitorValues = Omit<MonitorSettingsView, 'url' | 'monitoringStatus' | 'checkTimeout'> & {
  /** Empty where there is none. */
  url: string;
  /** null: the default, which every plan has. */
  checkTimeout: string | null;
};

/** One of the variants of a setting, with its own fields. */
export interface FormVariant {
  type: string;
  label: string;
  /** It begins with these values when it is chosen. */
  initial: Readonly<Record<string, unknown>>;
  fields: { name: string; label: string; control: 'text' | 'nullable' | 'lines' | 'list'; isSecret: boolean }[];
}

export interface MonitorForm {
  /** Those of a new monitor. */
  initial: MonitorValues;
  newHeartbeat: NonNullable<MonitorSettingsView['heartbeat']>;
  /** Fields that the form draws by what is stated here. */
  fields: {
    /** The field of the settings that it belongs to. */
    settings: string;
    name: string;
    label: string;
    hint?: string;
    control: 'text' | 'number' | 'toggle' | 'headers' | 'choice' | 'script' | 'variants';
    options: { value: string; label: string }[];
    variants: FormVariant[];
  }[];
}

const text = z.string().trim().min(1).max(200);

/** Conditions on monitors. All of those given must hold. */
export const monitorConditions = {
  search: text.optional().describe('Only those whose name or URL holds this, in any case'),
  healthStatus: z
    .enum(SHOWN_HEALTH)
    .optional()
    .describe(
      'Only those of this `healthStatus`; `unknown` where it is null, as it is while they are paused or disabled',
    ),
  monitoringStatus: z.enum(MONITORING_STATUSES).optional(),
  state: z
    .enum(COUNTED_STATES)
    .optional()
    .describe(
      'Only those that `counts` of the overview has as this: `maintenance` and `paused`, which has disabled ones too, come before any health',
    ),
  monitorType: z.enum(MONITOR_TYPES).optional().describe('Only those that have this type, among others'),
  serviceGroupId: uuid.optional().describe('Only those of this service group'),
  without: groupingText
    .optional()
    .describe('Only those without a tag of this key, or with `serviceGroup` those without a service group'),
};

export const monitorListQuery = z.strictObject({
  ...pageQuery.shape,
  tag: z
    .array(tagText)
    .max(MAX_TAGS)
    .transform(normalizeTags)
    .optional()
    .describe('Only those that have this tag. Given more than once: only those that have all of them'),
  ...monitorConditions,
  status: z.enum(HEALTH_STATUSES).optional().describe('Only those of this `healthStatus`'),
  name: text.optional().describe('Only those whose name holds this, in any case'),
  sort: z
    .enum(MONITOR_SORTS)
    .default(MONITOR_SORTS[0])
    .meta({
      description:
        'The order: the newest first; by name; the worst health first (unavailable, degraded, unknown, available, then paused ' +
        'and disabled ones), those of one health by name; the certificate that expires first; the longest time since the last ' +
        'check or ping; the lowest uptime or p95 of `lastDay`, or with `-` the highest. Those without one come last.',
    }),
});

export const tagListQuery = z.strictObject({
  ...pageQuery.shape,
  sort: z
    .enum(['tag', '-monitorCount'])
    .default('tag')
    .describe('The order: alphabetical, or those that the most monitors have first'),
});

export const tagCountSchema = z
  .strictObject({
    tag: z.string().meta({ example: 'team:web' }),
    monitorCount: z.int().min(1).meta({ description: 'How many monitors have it' }),
  })
  .meta({ id: 'TagCount' });
export type TagCount = z.output<typeof tagCountSchema>;
