import { z } from 'zod';
import { isoTimestamp, pageQuery, timeRangeQuery } from '../../platform/http/schemas.js';

export const pingsQuery = z.strictObject({ ...pageQuery.shape, ...timeRangeQuery.shape });

export const pingSchema = z
  .strictObject({
    at: isoTimestamp,
    kind: z.enum(['success', 'start', 'fail', 'log']),
    exitCode: z.int().min(0).max(255).nullable().describe('null where the ping named none'),
    rid: z.string().nullable().describe('Pairs a start with its end'),
    runtimeMs: z.int().min(0).nullable().describe('Of the end of a run whose start was received, ms'),
    remoteAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    body: z
      .string()
      .nullable()
      .describe(
        'The last 10 KiB of what was sent, as text, or in brackets that it was not kept, beyond `dailyBudgets.pingKib`; null where there was nothing',
      ),
  })
  .meta({ id: 'Ping' });
export type PingView = z.output<typeof pingSchema>;
