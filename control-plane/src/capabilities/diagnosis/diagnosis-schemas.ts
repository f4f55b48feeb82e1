import { z } from 'zod';
import { booleanParam, isoTimestamp, placeFilter, uuid } from '../../platform/http/schemas.js';
import { CAUSE_NAMES, CHANGE_KINDS } from './decide-cause.js';

/** Its name; the list of all would be most of what an assistant reads of the tool. */
const region = z.string().meta({ example: 'northeurope' });
const healthOf = z.enum(['available', 'unavailable', 'degraded']).nullable().describe('null where it is not known');

export const PARTS = [
  'where',
  'recheck',
  'changedBefore',
  'siblings',
  'dependsOn',
  'similar',
  'people',
  'people.onCall',
] as const;

const other = {
  monitorId: uuid,
  name: z.string(),
  health: healthOf,
  incidentId: uuid.nullable().describe('Its incident at that time'),
};

export const checkQuery = z.strictObject({
  region: placeFilter.optional().describe('Only from this place: a region, or `private:` and the slug of a location.'),
});

export const recheckSchema = z.strictObject({
  place: region,
  outcome: z.enum(['up', 'down', 'inconclusive']),
  message: z.string().nullable(),
  statusCode: z.int().nullable(),
  responseTime: z.number().describe('ms'),
  timings: z.record(z.string(), z.number()).describe('By phase, ms'),
});

export const diagnosisSchema = z
  .strictObject({
    incidentId: uuid,
    verdict: z.strictObject({ cause: z.enum(CAUSE_NAMES), sentence: z.string() }).describe('The most likely cause'),
    confidence: z.enum(['high', 'medium', 'low']),
    since: isoTimestamp.describe('The first failure'),
    isOver: z.boolean(),
    where: z.strictObject({ failing: z.array(region), fine: z.array(region), unknown: z.array(region) }),
    phase: z.string().nullable().describe('In which the first failure happened'),
    firstEvidence: z.record(z.string(), z.unknown()).describe('The first failure, as it was captured'),
    recheck: z.array(recheckSchema).describe('Checks made for this answer'),
    changedBefore: z
      .array(z.strictObject({ at: isoTimestamp, what: z.enum(CHANGE_KINDS), detail: z.string() }))
      .describe('In the 24 hours before, the newest first'),
    siblings: z
      .array(z.strictObject({ ...other, shares: z.array(z.enum(['site', 'serviceGroup', 'tags'])) }))
      .describe('Monitors with something in common, those with an incident first'),
    dependsOn: z.array(z.strictObject(other)).describe('Directly and through others'),
    similar: z
      .array(
        z.strictObject({
          incidentId: uuid,
          when: isoTimestamp,
          cause: z.string(),
          lastedSeconds: z.int().min(0),
          note: z.string().nullable().describe('The newest that a person wrote'),
        }),
      )
      .describe('Earlier incidents of the monitor, those of the same cause first'),
    people: z.strictObject({
      onCall: z.array(z.strictObject({ team: z.string(), person: z.string().nullable() })),
      notified: z.int().min(0).describe('Messages about it, those that were given up too'),
      reached: z.array(z.string()).describe('People and groups to whom one was delivered'),
      acknowledged: isoTimestamp.nullable(),
    }),
    suggestions: z.array(z.string()).describe('What to do next'),
    missing: z.array(z.strictObject({ part: z.enum(PARTS), why: z.string() })).describe('What could not be had'),
  })
  .meta({ id: 'Diagnosis' });

export const diagnosisQuery = z.strictObject({
  recheck: booleanParam
    .default(false)
    .describe('Whether to check now, from up to three regions: needs Responder, and counts as one-off tests'),
});

export type Diagnosis = z.output<typeof diagnosisSchema>;
export type DiagnosisPart = (typeof PARTS)[number];
