import { INCIDENT_TYPES } from '@watchpost/shared/incident-types';
import { z } from 'zod';
import {
  booleanParam,
  instant,
  isoDuration,
  isoTimestamp,
  pageQuery,
  uuid,
  shownPlace,
} from '../../platform/http/schemas.js';

export const REPORT_FORMATS = ['json', 'html'] as const;

const period = {
  startDate: instant.optional().meta({ description: 'Default: 24 hours before the end.' }),
  endDate: instant.optional().meta({ description: 'Default, and at the latest: now.' }),
};

function checkPeriod(
  { startDate, endDate }: { startDate?: number | undefined; endDate?: number | undefined },
  context: z.RefinementCtx,
): void {
  // An invalid moment has a fault of its own already.
  if (typeof startDate !== 'number' || typeof endDate !== 'number' || startDate < endDate) return;
  context.addIssue({ code: 'custom', path: ['endDate'], message: 'must be later than `startDate`' });
}

export const reportPeriodQuery = z.strictObject(period).superRefine(checkPeriod);

export const reportInputSchema = z
  .strictObject({
    ...period,
    format: z.enum(REPORT_FORMATS).optional().meta({
      description: 'Left out: `html` for who would rather have `text/html` than JSON, by `Accept`; else `json`.',
    }),
  })
  .superRefine(checkPeriod)
  .meta({ id: 'ReportGenerate' });
export type ReportInput = z.output<typeof reportInputSchema>;

export const scheduleListQuery = z.strictObject({
  search: z.string().trim().max(200).default('').meta({ description: 'A part of the name of the monitor.' }),
  scheduled: booleanParam.default(false).meta({ description: 'Only monitors of which reports are sent.' }),
  ...pageQuery.shape,
});

const nextAt = isoTimestamp.nullable().describe('When the next one is sent; null where none is');
export const scheduleSchema = z
  .strictObject({
    monitorId: uuid,
    monitorName: z.string(),
    next: z.strictObject({ daily: nextAt, weekly: nextAt, monthly: nextAt }),
    recipients: z.array(z.string()).describe('Addresses, by the alphabet; at most 50'),
    recipientCount: z.int().min(0),
    isToOwner: z
      .boolean()
      .describe('No email group of the monitor has an address: the owner of the workspace is the recipient'),
  })
  .meta({ id: 'ReportSchedule' });
export type ReportScheduleView = z.output<typeof scheduleSchema>;

const count = z.int().min(0);
const uptime = z.number().min(0).max(100).nullable().describe('Four decimals; null without checks');
const milliseconds = z.number().min(0).nullable().describe('ms; null without successful checks');
const recovery = isoDuration.nullable().describe('Of the incidents that recovered; null where none did');
const counts = { totalChecks: count, healthyChecks: count, unhealthyChecks: count, uptimePercentage: uptime };
const maintenance = {
  maintenanceSeconds: count.describe('How long maintenance windows covered it; checks in it count in no total'),
  uptimePercentageWithMaintenance: uptime.describe('As if there had been no maintenance window'),
};
const latency = {
  average: milliseconds,
  p50: milliseconds,
  p90: milliseconds,
  p95: milliseconds,
  p99: milliseconds,
  min: milliseconds,
  max: milliseconds,
};
const points = z.array(z.strictObject({ time: isoTimestamp, average: z.number(), p95: z.number() }));

export const reportSchema = z
  .strictObject({
    monitorId: uuid,
    monitorName: z.string(),
    url: z.string().nullable().describe('null for Heartbeat'),
    watchedSince: isoTimestamp.describe('When the monitor was made: what the period has of before has no results'),
    timezone: z.string().describe('The zone of the workspace, in which the document shows times'),
    generatedAt: isoTimestamp,
    periodStart: isoTimestamp,
    periodEnd: isoTimestamp,
    availability: z.strictObject({
      ...counts,
      ...maintenance,
      timeline: z
        .array(
          z.strictObject({
            start: isoTimestamp,
            end: isoTimestamp,
            status: z.enum(['available', 'partial', 'unavailable', 'unknown', 'maintenance']),
          }),
        )
        .describe('Contiguous, and covers exactly the period'),
    }),
    latency: z.strictObject({ unit: z.literal('ms'), ...latency, series: points }),
    regions: z.array(
      z.strictObject({
        ...shownPlace,
        ...counts,
        ...latency,
        awaitingFirstChecks: z.boolean().describe('No result has ever come from it'),
        series: points,
      }),
    ),
    incidents: z.strictObject({
      total: count,
      totalTimeToRecovery: recovery,
      meanTimeToRecovery: recovery,
      items: z
        .array(
          z.strictObject({
            id: uuid,
            incidentType: z.enum(INCIDENT_TYPES),
            severity: z.enum(['down', 'partial', 'warning']).describe('Now, or when it ended'),
            worstSeverity: z.enum(['down', 'partial', 'warning']),
            regions: z.array(z.string()),
            started: isoTimestamp,
            ended: isoTimestamp.nullable(),
            failureReason: z.string(),
          }),
        )
        .describe('Newest first; the newest 100'),
    }),
    comparison: z
      .strictObject({
        periodStart: isoTimestamp,
        periodEnd: isoTimestamp,
        ...counts,
        ...latency,
        incidents: count,
        meanTimeToRecovery: recovery,
      })
      .describe('The period of the same length before it'),
  })
  .meta({ id: 'Report' });
export type ReportView = z.output<typeof reportSchema>;
