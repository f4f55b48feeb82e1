import { z } from 'zod';
import {
  integerParam,
  isoDuration,
  isoTimestamp,
  timeRangeQuery,
  uuid,
  shownPlace,
} from '../../../platform/http/schemas.js';

/** The largest accepted number of points in a latency series. */
const MAX_POINTS = 2_000;
const DEFAULT_POINTS = 300;

const count = z.int().min(0);
const milliseconds = z.number().min(0).nullable().describe('ms, two decimals; null without successful checks');
const uptimePercentage = z.number().min(0).max(100).nullable().describe('Four decimals; null without checks');

const counts = { totalChecks: count, healthyChecks: count, unhealthyChecks: count, uptimePercentage };

/** What answers contain of maintenance beside their counts, which leave it out. */
export const maintenanceFigures = {
  maintenanceSeconds: count.describe(
    'How long maintenance windows covered it in the period; checks in it count in no total',
  ),
  uptimePercentageWithMaintenance: uptimePercentage.describe('As if there had been no maintenance window'),
};

export const availabilitySchema = z
  .strictObject({
    monitorId: uuid,
    periodStart: isoTimestamp,
    periodEnd: isoTimestamp.describe('As requested, or now where that lies in the future'),
    ...counts,
    ...maintenanceFigures,
    sampleInterval: isoDuration
      .nullable()
      .describe(
        'Null where the timeline is exact to the millisecond. A timeline of more than 5,000 spans is shown in steps of this length, each with its worst status',
      ),
    timeline: z
      .array(
        z.strictObject({
          start: isoTimestamp,
          end: isoTimestamp,
          status: z
            .enum(['available', 'partial', 'unavailable', 'unknown', 'maintenance'])
            .describe(
              '`partial`: some regions fail, others are healthy; `unknown`: there were no conclusive checks; `maintenance`: a window covered it',
            ),
        }),
      )
      .describe('Contiguous, and covers exactly the period'),
    regions: z.array(z.strictObject({ ...shownPlace, ...counts })),
  })
  .meta({ id: 'Availability' });

const phases = z.strictObject({
  dns: milliseconds,
  connect: milliseconds,
  tls: milliseconds,
  firstByte: milliseconds,
  transfer: milliseconds,
});
const point = z.strictObject({
  time: isoTimestamp,
  average: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  checks: count,
});
const BY_TIME =
  'By time; a point covers the checks from its time to that of the next one, and there are no points without checks';
const series = z.array(point).describe(BY_TIME);

const packetCounts = {
  sent: count,
  received: count,
  lossPercent: z.number().min(0).max(100).nullable().describe('Two decimals; null where none were sent'),
};

const packets = z
  .strictObject({
    ...packetCounts,
    series: z
      .array(z.strictObject({ time: isoTimestamp, ...packetCounts }))
      .describe('In the steps of the other series, with those in which nothing answered'),
  })
  .nullable()
  .describe('The packets of pings, those of failed checks too; null for monitors of other types');

export const latencySchema = z
  .strictObject({
    monitorId: uuid,
    periodStart: isoTimestamp,
    periodEnd: isoTimestamp.describe('As requested, or now where that lies in the future'),
    unit: z.literal('ms'),
    average: milliseconds,
    p50: milliseconds,
    p90: milliseconds,
    p95: milliseconds,
    p99: milliseconds,
    min: milliseconds,
    max: milliseconds,
    series: z.array(point.extend({ phases: phases.describe('Averages') })).describe(BY_TIME),
    packets,
    regions: z.array(
      z.strictObject({ ...shownPlace, average: milliseconds, p95: milliseconds, p99: milliseconds, series, packets }),
    ),
    phases: phases.describe('Averages over all regions'),
  })
  .meta({ id: 'Latency' });

export type Availability = z.output<typeof availabilitySchema>;
export type Latency = z.output<typeof latencySchema>;

export const availabilityQuery = timeRangeQuery;

export const latencyQuery = z.strictObject({
  ...timeRangeQuery.shape,
  points: integerParam({ min: 1, max: MAX_POINTS }).default(DEFAULT_POINTS).meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_POINTS,
    default: DEFAULT_POINTS,
    description: 'The maximum number of points in each series.',
  }),
});
