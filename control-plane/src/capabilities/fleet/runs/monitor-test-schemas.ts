import { assertionResultSchema } from '@watchpost/shared/assertions/assertion';
import { OUTCOME_CODES, type OutcomeKind } from '@watchpost/shared/outcome';
import { pingFigures } from '@watchpost/shared/ping-figures';
import { phases, stepResults } from '@watchpost/shared/steps/step-results';
import { z } from 'zod';
import { addressFields, addressWarnings } from '@watchpost/shared/address-schemas';
import { isoTimestamp } from '../../../platform/http/schemas.js';

export const monitorTestSchema = z
  .strictObject({
    responseTime: z.number().meta({ description: 'ms', example: 128.4 }),
    statusCode: z.int().nullable().describe('null without an answer of HTTP'),
    outcome: z
      .enum(Object.keys(OUTCOME_CODES) as [OutcomeKind, ...OutcomeKind[]])
      .describe('`inconclusive`: the target does not support this check, so whether it is available is not known')
      .meta({ example: 'up' }),
    wasAvailable: z.boolean(),
    started: isoTimestamp,
    ended: isoTimestamp,
    failureReason: z.string().nullable().describe('null if the test succeeded'),
    notes: z
      .array(z.string())
      .describe('Of a failed test: what is wrong with the answer and does not keep browsers from showing it')
      .meta({ example: ['Its Content-Length is “-1”, which is no length.'] }),
    assertions: z.array(assertionResultSchema).describe('All of them, in their order; empty without an answer'),
    answer: z
      .strictObject({
        httpVersion: z.string().nullable().describe('1.1 or 2; null for gRPC').meta({ example: '2' }),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
      })
      .nullable()
      .describe(
        'What an HTTP server answered at last: the version of HTTP, its headers and the first 16 KiB of its body as text, with secrets masked; null without an answer',
      ),
    addressWarnings: addressWarnings.optional(),
    addresses: z
      .array(z.strictObject({ ...addressFields, failureReason: z.string().nullable().describe('null where it works') }))
      .optional()
      .describe('With `addresses: each`: what was found at each of them'),
    phases: phases.describe('Sums over all requests: hops of a redirect chain, both requests of a digest, steps'),
    steps: stepResults.optional(),
    ping: pingFigures.optional(),
  })
  .meta({ id: 'OneOffTestResult' });
export type MonitorTestView = z.output<typeof monitorTestSchema>;
