import { z } from 'zod';
import { isoTimestamp, uuid } from '../../../platform/http/schemas.js';

/** The most monitors of one request. */
export const MAX_CHARTS = 100;
export const BAR_SLOTS = 96;

const BAR_LETTERS =
  'One letter a slot, the worst state in it: `a` available, `p` partial (some regions fail), `u` unavailable, `n` unknown, `m` maintenance, `z` paused, `-` before the monitor existed';

export const monitorChartsQuery = z.strictObject({
  monitorId: z
    .array(uuid)
    .min(1)
    .max(MAX_CHARTS)
    .describe(`Repeatable, up to ${MAX_CHARTS}. Monitors that do not exist in the workspace are left out.`),
});

export const monitorChartSchema = z
  .strictObject({
    monitorId: uuid,
    bar: z
      .strictObject({
        start: isoTimestamp.describe('Of the first slot: a whole quarter of an hour'),
        stepSeconds: z.int(),
        states: z
          .string()
          .describe(`${BAR_LETTERS}. The last slot is the present one, which has not ended.`)
          .meta({ example: 'a'.repeat(BAR_SLOTS) }),
      })
      .describe('The availability of the last 24 hours, as the timeline of `availability` has it'),
    latency: z
      .strictObject({
        start: isoTimestamp,
        stepSeconds: z.int(),
        p95: z.array(z.number().min(0).nullable()).describe('ms; null without successful HTTP checks'),
      })
      .describe('Of all regions together, over the last 24 hours'),
    uptime30Days: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe('Percent, four decimals; null without checks. The period starts at a whole hour (UTC).'),
  })
  .meta({ id: 'MonitorChart' });

export type MonitorChart = z.output<typeof monitorChartSchema>;
