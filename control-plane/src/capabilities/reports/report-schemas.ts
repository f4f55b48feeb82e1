import { z } from 'zod';
import { REGIONS } from '@watchpost/shared/region';
import { instant, isoDuration, isoTimestamp, uuid } from '../../platform/http/schemas.js';

export const REPORT_FORMATS = ['json', 'html'] as const;

export const reportInputSchema = z
  .strictObject({
    startDate: instant.optional().meta({ description: 'Default: 24 hours before the end.' }),
    endDate: instant.optional().meta({ description: 'Default, and at the latest: now.' }),
    format: z.enum(REPORT_FORMATS).optional().meta({
      description: 'Left out: `html` for who would rather have `text/html` than JSON, by `Accept`; else `json`.',
    }),
  })
  .superRefine(({ startDate, endDate }, context) => {
    // An invalid moment has a fault of its own already.
    if (typeof startDate !== 'number' || typeof endDate !== 'number' || startDate < endDate) return;
    context.addIssue({ code: 'custom', path: ['endDate'], message: 'must be later than `startDate`' });
  })
  .meta({ id: 'ReportGenerate' });
export type ReportInput = z.output<typeof reportInputSchema>;

const count = z.int().min(0);
const uptime = z.number().min(0).max(100).nullable().describe('Four decimals; null without checks');
const milliseconds = z.number().min(0).nullable().describe('ms; null without successful checks');
const recovery = isoDuration.nullable().describe('Of the incidents that recovered; null where none did');
const counts = { totalChecks: count, healthyChecks: count, unhealthyChecks: count, uptimePercentage: uptime };
const latency = {
  average: milliseconds,
  p50: milliseconds,
  p90: milliseconds,
  p95: milliseconds,
  p99: milliseconds,
  min: milliseconds,
  max: milliseconds,
};
const regionName = z.enum(REGIONS.map(({ name }) => name));
const points = z.array(z.strictObject({ time: isoTimestamp, average: z.number(), p95: z.number() }));

export const reportSchema = z
  .strictObject({
    monitorId: uuid,
    monitorName: z.string(),
    url: z.string(),
    timezone: z.string().describe('The zone of the workspace, in which the document shows times'),
    generatedAt: isoTimestamp,
    periodStart: isoTimestamp,
    periodEnd: isoTimestamp,
    availability: z.strictObject({
      ...counts,
      timeline: z
        .array(
          z.strictObject({
            start: isoTimestamp,
            end: isoTimestamp,
            status: z.enum(['available', 'partial', 'unavailable', 'unknown']),
          }),
        )
        .describe('Contiguous, and covers exactly the period'),
    }),
    latency: z.strictObject({ unit: z.literal('ms'), ...latency, series: points }),
    regions: z.array(
      z.strictObject({
        region: regionName,
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
            incidentType: z.enum(['Availability', 'SslExpiry', 'Latency', 'Dns']),
            severity: z.enum(['down', 'partial', 'warning']),
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
