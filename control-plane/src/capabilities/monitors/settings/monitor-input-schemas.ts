import { z } from 'zod';
import { MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { EXTRA_REGIONS, HOME_REGION, parseRegion, type ExtraRegion } from '@watchpost/shared/region';
import { checkedText, durationSchema, nameText, uuid } from '../../../platform/http/schemas.js';
import { heartbeatCreateInput, heartbeatSettingsInput } from '../heartbeat/heartbeat-settings-schemas.js';
import { dependsOnInput } from '../dependencies/depends-on-input.js';
import { contradictable, decideMissing, decideSettingsFaults } from './decide-settings-faults.js';
import { overlay, withoutRepeats } from './define-settings.js';
import { DEFAULT_SETTINGS, MONITORING_STATUSES } from './monitor-settings.js';
import { urlFaults } from './monitor-url.js';
import { tagsInput } from './tags.js';
import { withoutDefaults } from './without-defaults.js';
import { dnsSettingsInput, TYPE_SETTINGS, type TypeSettings } from './type-settings-schemas.js';

/** The rules of this installation in addition to those of the interface. */
export interface MonitorRules {
  /** Destinations that monitors may have. */
  egress: EgressPolicy;
}

const extraRegion = z
  .string()
  .transform((text, context): ExtraRegion => {
    const region = parseRegion(text);
    if (region !== undefined && region !== HOME_REGION) return region as ExtraRegion;
    const message =
      region === HOME_REGION
        ? `must not name ${HOME_REGION}: the home region is always active`
        : `must be one of ${EXTRA_REGIONS.join(', ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ enum: EXTRA_REGIONS });

export const reportingSchema = z
  .strictObject({ dailyReport: z.boolean(), weeklyReport: z.boolean(), monthlyReport: z.boolean() })
  .meta({ id: 'MonitorReporting' });

const HEARTBEAT = { description: 'When a job has to report; null for other types.' };

/** The input of the settings of each type. */
function typeInputs() {
  const inputs = Object.entries(TYPE_SETTINGS).map(([field, { input }]) => [field, input]);
  return Object.fromEntries(inputs) as { [Field in keyof TypeSettings]: (typeof TYPE_SETTINGS)[Field]['input'] };
}

function inputFields({ egress }: MonitorRules) {
  return {
    name: nameText.meta({
      description: "What people call it; on creation the URL's host where it is left out. Required for Heartbeat.",
      example: 'Shop',
    }),
    url: checkedText(2_048, (url) => urlFaults(url, egress)).meta({
      description:
        'What is checked: `http://` or `https://`; `tcp://host:port` or `udp://host:port` for TcpUdp; for Dns also a host name. ' +
        'Required, except for Heartbeat, where it must be left out. It must not hold credentials, and an address or `localhost` must lie inside the egress policy.',
      example: 'https://example.com/health',
    }),
    monitorTypes: z.array(z.enum(MONITOR_TYPES)).min(1).max(20).transform(withoutRepeats).meta({
      description: 'What is watched. Plans differ in the types that they have.',
      default: DEFAULT_SETTINGS.monitorTypes,
    }),
    checkInterval: durationSchema({ minMs: 60_000, maxMs: 3_600_000 }).meta({
      description: 'Time between two checks in a region, PT1M to PT1H, in any ISO 8601 spelling.',
      default: 'PT5M',
      example: 'PT1M',
    }),
    checkTimeout: durationSchema({ minMs: 5_000, maxMs: 60_000 }).nullable().meta({
      description: 'How long a check may take, PT5S to PT60S; null for the default. Setting it needs a paid plan.',
      default: 'PT30S',
      example: 'PT10S',
    }),
    numberOfChecksBeforeAlert: z
      .int()
      .min(1)
      .max(10)
      .meta({ description: 'Failures in a row after which a region counts as failing.', default: 2 }),
    numberOfChecksBeforeRecovery: z
      .int()
      .min(1)
      .max(10)
      .meta({ description: 'Successes in a row after which it counts as healthy again.', default: 1 }),
    monitoringStatus: z
      .enum(MONITORING_STATUSES)
      .meta({ description: 'Only `enabled` monitors are checked; all count towards the limit.', default: 'enabled' }),
    enabledRegions: z
      .array(extraRegion)
      .max(20)
      .transform(withoutRepeats)
      .meta({
        description: 'Regions to check from beyond the home region, which is always active and never named here.',
        default: [],
        example: ['eastus2'],
      }),
    serviceGroupId: uuid
      .nullable()
      .meta({ description: 'The one service group that it belongs to; null takes it out.', default: null }),
    tags: tagsInput,
    reporting: reportingSchema.partial().meta({ id: 'MonitorReportingInput', description: 'Which reports are sent.' }),
    ...typeInputs(),
    dns: dnsSettingsInput(egress),
    heartbeat: heartbeatSettingsInput.nullable().meta(HEARTBEAT),
    dependsOn: dependsOnInput,
  };
}

/**
 * The bodies that create and change a monitor. The verb reports contradictions with stored settings.
 */
export function monitorInputSchemas(rules: MonitorRules) {
  const fields = z.strictObject(inputFields(rules));
  return {
    create: fields
      .safeExtend({ heartbeat: heartbeatCreateInput.nullable().meta(HEARTBEAT) })
      .partial()
      .superRefine(reportContradictions({ isNew: true }), { when: () => true })
      .meta({ id: 'MonitorCreate' }),
    update: withoutDefaults(fields)
      .partial()
      .superRefine(reportContradictions({ isNew: false }), { when: () => true })
      .meta({
        id: 'MonitorUpdate',
        description:
          'Fields that are left out keep their value. The settings by type (`http`, `ssl`, …) do so field by field.',
      }),
  };
}

/** The validated input of a caller. Durations are in ms. */
export type MonitorUpdateInput = z.output<ReturnType<typeof monitorInputSchemas>['update']>;
export type MonitorCreateInput = z.output<ReturnType<typeof monitorInputSchemas>['create']>;

/**
 * Contradictions within a body, which are reported together with the faults of its fields.
 * @param isNew whether what is left out has its default
 */
function reportContradictions({ isNew }: { isNew: boolean }) {
  return (body: unknown, context: z.RefinementCtx): void => {
    const { data: given } = contradictable.safeParse(body);
    if (given === undefined) return;
    const { monitorTypes, http } = DEFAULT_SETTINGS;
    const faults = isNew
      ? [
          ...decideSettingsFaults({
            monitorTypes,
            ...given,
            http: overlay<typeof given.http & object>(http, given.http),
          }),
          ...decideMissing(given),
        ]
      : decideSettingsFaults(given);
    for (const { path, message } of faults) context.addIssue({ code: 'custom', path: path.split('.'), message });
  };
}
