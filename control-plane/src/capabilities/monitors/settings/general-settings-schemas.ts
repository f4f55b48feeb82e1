import { z } from 'zod';
import { factsOf, MONITOR_TYPES, MONITORING_STATUSES } from '@watchpost/shared/monitor-types';
import { EXTRA_REGIONS, HOME_REGION, parseRegion, type ExtraRegion } from '@watchpost/shared/region';
import { durationSchema, nameText, uuid } from '../../../platform/http/schemas.js';
import { defineSettings, type SettingsOf, withoutRepeats } from '../../../platform/http/define-settings.js';
import { tagsInput } from './tags.js';

const MAX_DEPENDENCIES = 10;

/** The monitors on which one depends, as a caller may send them. */
const dependsOnInput = z
  .array(uuid)
  .max(MAX_DEPENDENCIES)
  .transform((ids) => withoutRepeats(ids).toSorted())
  .meta({
    description:
      `Monitors of the workspace without which it cannot work, at most ${MAX_DEPENDENCIES}, without a circle. While one of them has an open incident ` +
      'of availability, a failure of this one notifies nobody and is attached to that incident. The list is replaced as a whole.',
    default: [],
  });

export type MonitoringStatus = (typeof MONITORING_STATUSES)[number];

const extraRegion = z
  .string()
  .transform((text, context): ExtraRegion => {
    const region = parseRegion(text);
    if (region !== undefined && region !== HOME_REGION) return region as ExtraRegion;
    const message =
      region === HOME_REGION
        ? `must not name ${HOME_REGION}: \`homeRegion\` decides on that`
        : `must be one of ${EXTRA_REGIONS.join(', ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ enum: EXTRA_REGIONS });

/** The URLs of types that are alone: `tcp://host:port` or `udp://host:port` for TcpUdp. */
const SERVICE_URLS = MONITOR_TYPES.filter((type) => factsOf(type).isAlone)
  .map((type) => `${factsOf(type).url.words} for ${type}`)
  .join('; ');

/** The settings that monitors of all types have, beside those in groups. */
export const generalSettings = defineSettings('MonitorGeneral', 'The settings of every type.', {
  name: nameText.meta({
    description: "What people call it; on creation the URL's host where it is left out. Required for Heartbeat.",
    example: 'Shop',
  }),
  url: z
    .string()
    .nullable()
    .meta({
      description:
        `What is checked: \`http://\` or \`https://\`; ${SERVICE_URLS}; for Dns also a host name. ` +
        'Required, except for Heartbeat, where it must be left out. It must not hold credentials, and an address or `localhost` must lie inside the egress policy.',
      example: 'https://example.com/health',
    }),
  monitoringStatus: z
    .enum(MONITORING_STATUSES)
    .meta({ description: 'Only `enabled` monitors are checked; all count towards the limit.', default: 'enabled' }),
  monitorTypes: z
    .array(z.enum(MONITOR_TYPES))
    .min(1)
    .max(20)
    .transform(withoutRepeats)
    .meta({
      description: 'What is watched. Plans differ in the types that they have.',
      default: ['HttpAvailability'],
    }),
  checkInterval: durationSchema({ minMs: 60_000, maxMs: 3_600_000 }).meta({
    description: 'Time between two checks in a region, PT1M to PT1H, in any ISO 8601 spelling.',
    default: 'PT5M',
    example: 'PT1M',
  }),
  checkTimeout: durationSchema({ minMs: 5_000, maxMs: 60_000 }).meta({
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
  enabledRegions: z
    .array(extraRegion)
    .max(20)
    .transform(withoutRepeats)
    .meta({
      description: 'Regions to check from beyond the home region, which `homeRegion` is about and is never named here.',
      default: [],
      example: ['eastus2'],
    }),
  homeRegion: z.boolean().meta({
    description: 'Whether the home region checks it. `false` needs a private location.',
    default: true,
  }),
  privateLocations: z
    .array(z.string().trim().min(1).max(40))
    .max(10)
    .transform((slugs) => withoutRepeats(slugs).toSorted())
    .meta({
      description:
        'Slugs of the private locations that check it too. Its URL may lie inside the ranges that every place allows.',
      default: [],
      example: ['office'],
    }),
  serviceGroupId: uuid
    .nullable()
    .meta({ description: 'The one service group that it belongs to; null takes it out.', default: null }),
  teamId: uuid.nullable().meta({
    description: 'The team that is paged for it while it is in no service group: the routing of a service group wins.',
    default: null,
  }),
  tags: tagsInput,
  dependsOn: dependsOnInput,
});
export const reportingSettings = defineSettings('MonitorReporting', 'Which reports are sent.', {
  dailyReport: z.boolean().meta({ default: false }),
  weeklyReport: z.boolean().meta({ default: false }),
  monthlyReport: z.boolean().meta({ default: false }),
});

export type GeneralSettings = SettingsOf<typeof generalSettings.fields>;
