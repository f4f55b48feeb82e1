import { z } from 'zod';

export const ASSERTION_SOURCES = [
  'status',
  'header',
  'body',
  'json',
  'responseTime',
  'bodySize',
  'tlsVersion',
  'httpVersion',
  'certificateDays',
  'redirectCount',
  'finalUrl',
  'address',
] as const;
export const COMPARISONS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'matches',
  'notMatches',
  'lessThan',
  'greaterThan',
  'exists',
  'notExists',
  'in',
  'countEquals',
  'countLessThan',
  'countGreaterThan',
  'olderThan',
  'newerThan',
] as const;
export type AssertionSource = (typeof ASSERTION_SOURCES)[number];
export type Comparison = (typeof COMPARISONS)[number];

export const MOST_ASSERTIONS = 20;
const MAX_PROPERTY = 1_024;
const MAX_TEXT = 1_000;
const MOST_CHOICES = 50;

const scalar = z.union([
  z.string().max(MAX_TEXT),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({
    number: z
      .string()
      .max(400)
      .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, { error: 'must be a number of JSON as text' }),
  }),
]);
export type AssertionTarget = z.output<typeof scalar>;

/** The demand on an answer: a setting of a monitor, and part of the target that agents get. */
export const assertionSchema = z
  .strictObject({
    source: z.enum(ASSERTION_SOURCES).meta({ description: 'The part of the answer that is compared.' }),
    property: z
      .string()
      .min(1)
      .max(MAX_PROPERTY)
      .optional()
      .meta({ description: 'Of `header` its name, of `json` a query of RFC 9535; left out for other sources.' }),
    comparison: z.enum(COMPARISONS).meta({ description: 'How it is compared.' }),
    target: z
      .union([scalar, z.array(scalar).min(1).max(MOST_CHOICES)])
      .optional()
      .meta({
        description:
          'With what it is compared; left out for `exists` and `notExists`. A list for `in`, a pattern of RE2 for `matches`, a ' +
          'duration of ISO 8601 for `olderThan` and `newerThan`. Types are strict: `"1"` is not `1`. A number of more than 15 digits, which most ' +
          'programs round, is given as `{ "number": "9007199254740993" }`.',
      }),
    severity: z.enum(['down', 'degraded']).default('down').meta({
      description: '`down`: the check fails with it; `degraded`: the check stays healthy and the monitor is degraded.',
    }),
  })
  .meta({ description: 'What an answer has to be.' });
export type Assertion = z.output<typeof assertionSchema>;

export const assertionResultSchema = z
  .strictObject({
    index: z.int().min(0).meta({ description: 'Its place among `http.assertions`, from 0.' }),
    passed: z.boolean(),
    expected: z.string().meta({ description: 'In words.', example: 'containing "json"' }),
    actual: z.string().nullable().meta({
      description: 'At most 200 characters, with secrets masked; null where the answer has none.',
      example: '"text/plain"',
    }),
    message: z.string().nullable().meta({
      description: 'Why it failed, as a sentence; null where it passed.',
      example: 'Header content-type is "text/plain" instead of containing "json".',
    }),
  })
  .meta({ id: 'AssertionResult' });
export type AssertionResult = z.output<typeof assertionResultSchema>;
