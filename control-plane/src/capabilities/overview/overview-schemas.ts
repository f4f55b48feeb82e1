import { z } from 'zod';
import { isoTimestamp, pageQuery, uuid, shownPlace } from '../../platform/http/schemas.js';
import { incidentSummarySchema } from '../incidents/index.js';
import { groupingText } from '../monitors/index.js';

/** The most incidents in `attention`. */
export const MAX_ATTENTION = 50;
/** How far ahead gaps of on-call are looked for, days. */
export const GAP_DAYS = 14;

const count = z.int().min(0);
const name = z.string().nullable().describe('null where the person has no name and no email address');

export const REGION_STATES = ['healthy', 'suspect', 'silent'] as const;

export const regionStateSchema = z
  .enum(REGION_STATES)
  .describe(
    '`silent`: no agent of the region is connected, so nothing is known from there; `suspect`: its failures do not count, because they are probably its own',
  );

/** Parts of the overview that need a scope of their own. */
export const OMITTED_SCOPES = ['incident.read', 'account.read', 'alert.read'] as const;

export const TROUBLE_KINDS = [
  'region_silent',
  'region_suspect',
  'location_silent',
  'location_blind',
  'location_outdated',
  'deliveries_failing',
  'deliveries_delayed',
  'mail_not_configured',
  'mail_kept_here',
  'sms_not_configured',
  'recipients_unconfirmed',
  'monitors_unheard',
] as const;

export const troubleSchema = z
  .strictObject({
    kind: z.enum(TROUBLE_KINDS),
    level: z
      .enum(['problem', 'notice'])
      .describe('`problem`: somebody may not hear of an outage, or it may not be seen; `notice`: worth knowing'),
    message: z.string().describe('A sentence or two: what is wrong, and what to do about it').meta({
      example: 'No agent of eastus2 is connected: nothing is known from there.',
    }),
    count: count.describe(
      'How many of its kind: regions, agents of a private location, messages, recipients, monitors',
    ),
    since: isoTimestamp.nullable().describe('null where it is not known'),
    link: z
      .string()
      .nullable()
      .describe('The path of the page about it on this service; null where there is none')
      .meta({ example: '/console/w/0199e0a4-0000-7000-8000-000000000001/regions' }),
  })
  .meta({ id: 'Trouble' });

export const monitorCountsSchema = z
  .strictObject({
    available: count,
    degraded: count,
    unavailable: count,
    unknown: count.describe('Enabled, and without a health status: no result yet, or none that is fresh'),
    maintenance: count.describe('Enabled, and covered by a maintenance window, whatever the health status'),
    paused: count.describe('Paused or disabled'),
    total: count,
  })
  .meta({
    id: 'MonitorCounts',
    description: 'Each monitor counts once; `healthStatus` as in the list of monitors, where no window covers it',
  });

export const monitorGroupSchema = z
  .strictObject({
    name: z.string().nullable().describe('Of the service group, or the tag; null for the monitors that are in none'),
    serviceGroupId: uuid.nullable().describe('null of a tag, and for the monitors that are in no service group'),
    tag: z
      .string()
      .nullable()
      .meta({ example: 'team:web' })
      .describe('null of a service group, and for the monitors without such a tag'),
    counts: monitorCountsSchema,
  })
  .meta({ id: 'MonitorGroup', description: 'How many monitors of a group are in which state' });

export const groupsQuery = z.strictObject({
  ...pageQuery.shape,
  by: groupingText
    .default('serviceGroup')
    .describe('What groups them: `serviceGroup`, or the key of a tag, such as `team` for `team:web` and `team:data`'),
});

export const attentionSchema = z
  .strictObject({
    incident: incidentSummarySchema,
    regionsFailing: count.describe('How many regions fail, of those that report now'),
    regionsReporting: count.describe('How many regions have a fresh result of the checks that the incident is about'),
    notified: z
      .array(z.strictObject({ userId: uuid, name, at: isoTimestamp }))
      .describe('People whose page was delivered, the first page of each, in order of time'),
    groupsNotified: z
      .array(z.strictObject({ actionGroupId: uuid, name: z.string(), channel: z.string(), at: isoTimestamp }))
      .describe('Action groups of which a message about it was delivered, the first message of each'),
    failedDeliveries: count.describe('Messages about it that were given up'),
    nextEscalationAt: isoTimestamp
      .nullable()
      .describe('When the next person is paged while nobody acknowledges; null where nobody else will be'),
    acknowledgement: z.strictObject({ userId: uuid.nullable(), name, at: isoTimestamp.nullable() }).nullable(),
  })
  .meta({ id: 'Attention' });

export const teamDutySchema = z
  .strictObject({
    teamId: uuid,
    teamName: z.string(),
    now: z
      .strictObject({ userId: uuid, name, until: isoTimestamp.nullable().describe('null where it has no end') })
      .nullable()
      .describe('null where nobody is on call'),
    next: z
      .strictObject({ userId: uuid, name, from: isoTimestamp })
      .nullable()
      .describe('Whose shift is next; null where nothing is planned'),
    gaps: z
      .array(z.strictObject({ start: isoTimestamp, end: isoTimestamp }))
      .describe(`Times of the next ${GAP_DAYS} days at which nobody is on call`),
    why: z.string().nullable().describe('Why nobody is on call now, as a sentence; null where somebody is'),
  })
  .meta({ id: 'TeamDuty' });

const jointFigures = {
  availability: z
    .number()
    .nullable()
    .describe(
      'The mean of the uptimes of those monitors that had conclusive checks outside maintenance, percent; null where none had',
    ),
  p95: z.number().nullable().describe('Response time of all successful checks, ms; null where there were none'),
  checks: count.describe('Checks of all kinds, whatever came of them'),
};

const lastDaySchema = z
  .strictObject({
    until: isoTimestamp.describe('Their end: the last full hour, or for the first figures of a workspace any moment'),
    ...jointFigures,
    unknown: count.describe('Enabled monitors without a conclusive check outside maintenance'),
    hours: z
      .array(z.strictObject(jointFigures))
      .describe('24 full hours, the oldest first; where `until` is no full hour, the last one goes on'),
  })
  .meta({ id: 'WorkspaceLastDay' });

export const overviewSchema = z
  .strictObject({
    at: isoTimestamp.describe('The moment that it describes'),
    counts: monitorCountsSchema,
    attention: z
      .array(attentionSchema)
      .describe(
        `Open incidents, at most ${MAX_ATTENTION}: those that go on before those that have recovered, by severity, those that nobody has acknowledged first, then the newest`,
      ),
    attentionTotal: count.describe('How many incidents are open'),
    openByHour: z
      .array(count)
      .describe('How many incidents were open at any time of each of the 24 hours before `at`, the oldest first'),
    lastDay: lastDaySchema
      .nullable()
      .describe('Figures of all monitors together over 24 hours, computed once an hour; null before the first'),
    onCall: z.array(teamDutySchema).describe('By the name of the team'),
    regions: z
      .array(
        z.strictObject({
          ...shownPlace,
          state: regionStateSchema,
          since: isoTimestamp.nullable().describe('null while it is healthy, and where no agent was ever connected'),
        }),
      )
      .describe('The regions that check the monitors of the workspace, the home region first'),
    troubles: z.array(troubleSchema).describe('What is wrong with the monitoring itself, the worst first'),
    omitted: z
      .array(z.enum(OMITTED_SCOPES))
      .describe(
        'Scopes that the token lacks. What they cover is left out: `incident.read` who was notified and who acknowledged, `account.read` `onCall`, `alert.read` the troubles of deliveries, recipients and monitors',
      ),
  })
  .meta({ id: 'Overview' });

export const regionSchema = z
  .strictObject({
    ...shownPlace,
    location: z.string().meta({ example: 'North Europe, Ireland' }),
    state: regionStateSchema,
    since: isoTimestamp.nullable().describe('null while it is healthy, and where no agent was ever connected'),
    agents: count.describe('How many agents of this installation are connected there'),
    startLagP99: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'How long after their time checks start, ms, 99th percentile of the slowest agent; null without agents',
      ),
    monitors: count.describe(
      'Monitors of the workspace that are checked from there; 0 where the workspace does not use it',
    ),
    checksPerMinute: z.number().min(0).describe('Checks of the workspace that are due there each minute'),
    reportingPerMinute: z.number().min(0).describe('Those of them whose latest result has arrived'),
  })
  .meta({ id: 'Region' });

export const notificationsSchema = z
  .strictObject({
    incidentId: uuid,
    ...attentionSchema.pick({ notified: true, groupsNotified: true, failedDeliveries: true, nextEscalationAt: true })
      .shape,
  })
  .meta({ id: 'IncidentNotifications' });

export type RegionView = z.output<typeof regionSchema>;
export type IncidentNotifications = z.output<typeof notificationsSchema>;
export type Overview = z.output<typeof overviewSchema>;
export type MonitorGroup = z.output<typeof monitorGroupSchema>;
export type Attention = z.output<typeof attentionSchema>;
export type TeamDuty = z.output<typeof teamDutySchema>;
export type Trouble = z.output<typeof troubleSchema>;
