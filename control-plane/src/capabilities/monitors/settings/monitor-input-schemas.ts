import { z } from 'zod';
import { MONITOR_TYPES } from '@watchpost/shared/check';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { EXTRA_REGIONS, HOME_REGION, parseRegion, type ExtraRegion } from '@watchpost/shared/region';
import { checkedText, durationSchema, nameText, uuid } from '../../../platform/http/schemas.js';
import { heartbeatCreateInput, heartbeatSettingsInput } from '../heartbeat/heartbeat-settings-schemas.js';
import { dependsOnInput } from '../dependencies/depends-on-input.js';
import { decideSettingsFaults } from './decide-settings-faults.js';
import { httpSettingsInput, withoutRepeats } from './http-settings-schemas.js';
import { DEFAULT_SETTINGS, MONITORING_STATUSES } from './monitor-settings.js';
import { urlFaults } from './monitor-url.js';
import { tagsInput } from './tags.js';
import { withoutDefaults } from './without-defaults.js';
import {
  dnsSettingsInput,
  latencySettingsInput,
  sslSettingsInput,
  tcpUdpSettingsInput,
} from './type-settings-schemas.js';

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
    http: httpSettingsInput,
    ssl: sslSettingsInput,
    latency: latencySettingsInput,
    dns: dnsSettingsInput(egress),
    tcpUdp: tcpUdpSettingsInput,
    heartbeat: heartbeatSettingsInput.nullable().meta(HEARTBEAT),
    dependsOn: dependsOnInput,
  };
}

/**
 * The bodies that create and change a monitor. Contradictions within a body are reported together with the faults of its
 * fields; the verb reports contradictions with stored settings.
 */
export function monitorInputSchemas(rules: MonitorRules) {
  const fields = z.strictObject(inputFields(rules));
  return {
    create: fields
      .safeExtend({ heartbeat: heartbeatCreateInput.nullable().meta(HEARTBEAT) })
      .partial()
      .superRefine(contradictions({ monitorTypes: DEFAULT_SETTINGS.monitorTypes, http: DEFAULT_SETTINGS.http }), {
        when: () => true,
      })
      .superRefine(requireWhatTypesNeed, { when: () => true })
      .meta({ id: 'MonitorCreate' }),
    update: withoutDefaults(fields)
      .partial()
      .superRefine(contradictions({}), { when: () => true })
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

/** Also runs on bodies with other faults, so it assumes nothing about its input. */
function contradictions(defaults: Parameters<typeof decideSettingsFaults>[0]) {
  return (body: unknown, context: z.RefinementCtx): void => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const { url, monitorTypes, serviceGroupId, http, tcpUdp, heartbeat } = { ...defaults, ...body };
    const given = { ...defaults.http, ...(typeof http === 'object' ? http : {}) };
    const faults = decideSettingsFaults({
      url: typeof url === 'string' ? url : undefined,
      monitorTypes: Array.isArray(monitorTypes)
        ? MONITOR_TYPES.filter((type) => (monitorTypes as unknown[]).includes(type))
        : undefined,
      serviceGroupId: typeof serviceGroupId === 'string' ? serviceGroupId : undefined,
      http: {
        method: typeof given.method === 'string' ? given.method : undefined,
        body: given.body,
        keyword: given.keyword,
      },
      tcpUdp: { send: sendIn(tcpUdp) },
      heartbeat,
    });
    for (const { path, message } of faults) context.addIssue({ code: 'custom', path: path.split('.'), message });
  };
}

/** A URL is what is checked; a heartbeat has none, so nothing to take a name from, and no default of when it is due. */
function requireWhatTypesNeed(body: unknown, context: z.RefinementCtx): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const { monitorTypes } = body as { monitorTypes?: unknown };
  const isHeartbeat = Array.isArray(monitorTypes) && monitorTypes.includes('Heartbeat');
  for (const field of isHeartbeat ? ['name', 'heartbeat'] : ['url']) {
    const value = (body as Record<string, unknown>)[field];
    if (value === undefined || (field === 'heartbeat' && value === null))
      context.addIssue({ code: 'custom', path: [field], message: `is required${isHeartbeat ? ' for Heartbeat' : ''}` });
  }
}

function sendIn(tcpUdp: unknown): string | undefined {
  const send = typeof tcpUdp === 'object' && tcpUdp !== null && 'send' in tcpUdp ? tcpUdp.send : undefined;
  return typeof send === 'string' ? send : undefined;
}
