import { z } from 'zod';
import { assertionResultSchema } from '@watchpost/shared/assertions/assertion';
import { CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';
import { OUTCOME_CODES, type OutcomeKind } from '@watchpost/shared/outcome';
import {
  integerParam,
  isoTimestamp,
  pageQuery,
  placeFilter,
  timeRangeQuery,
  uuid,
  shownPlace,
} from '../../../platform/http/schemas.js';

const OUTCOMES = Object.keys(OUTCOME_CODES) as [OutcomeKind, ...OutcomeKind[]];
const KINDS = Object.keys(CHECK_KIND_CODES) as [CheckKind, ...CheckKind[]];
const MAX_STEPS = 500;

const ms = z.number().min(0).describe('ms');

export const checkResultSchema = z
  .strictObject({
    scheduledAt: isoTimestamp.describe('When the check was due'),
    startLag: ms.describe('How long after that it started, ms'),
    ...shownPlace,
    kind: z.enum(KINDS),
    outcome: z.enum(OUTCOMES).describe('`inconclusive`: the agent was at fault, and the result does not count'),
    responseTime: ms,
    statusCode: z.int().nullable().describe('null where there was none'),
    phases: z
      .strictObject({ dns: ms, connect: ms, tls: ms, firstByte: ms, transfer: ms })
      .describe('ms; 0 for a phase that did not happen'),
    packets: z
      .strictObject({ sent: z.int().min(0), received: z.int().min(0) })
      .nullable()
      .describe('Of a ping; null for checks of other kinds'),
    failure: z
      .strictObject({
        phase: z.string(),
        reason: z.string().meta({ example: 'connection_refused' }),
        message: z.string(),
        address: z.string().nullable(),
      })
      .nullable()
      .describe(
        'null where the check succeeded and nothing failed that only warns, and where it is inconclusive or the reason is not kept',
      ),
    assertions: z
      .array(assertionResultSchema)
      .nullable()
      .describe(
        'All assertions of the check where one of them failed, passed ones too; null where none did, or no answer came',
      ),
  })
  .meta({ id: 'CheckResult' });

export const checkResultsQuery = z.strictObject({
  ...pageQuery.shape,
  ...timeRangeQuery.shape,
  region: placeFilter.optional(),
  kind: z.enum(KINDS).optional(),
  outcome: z.enum(OUTCOMES).optional(),
});

export const regionTimelinesQuery = z.strictObject({
  ...timeRangeQuery.shape,
  steps: integerParam({ min: 1, max: MAX_STEPS }).default(96).meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_STEPS,
    default: 96,
    description: 'The maximum number of steps.',
  }),
});

export const regionTimelinesSchema = z
  .strictObject({
    monitorId: uuid,
    periodStart: isoTimestamp,
    periodEnd: isoTimestamp.describe('As requested, or now where that lies in the future'),
    stepSeconds: z.int().min(1),
    states: z.string().describe('The same letters for all regions together: `p` also where some regions fail'),
    regions: z
      .array(
        z.strictObject({
          ...shownPlace,
          states: z
            .string()
            .describe(
              'One letter a step, the worst state in it: `a` available, `p` partial (checks of different kinds disagree), `u` unavailable, `n` unknown, `z` paused, `-` before the monitor existed',
            ),
        }),
      )
      .describe('The regions that check the monitor now, and those that did in the period'),
  })
  .meta({ id: 'RegionTimelines' });

export type CheckResultView = z.output<typeof checkResultSchema>;
export type RegionTimelines = z.output<typeof regionTimelinesSchema>;
