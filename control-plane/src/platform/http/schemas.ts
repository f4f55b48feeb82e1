import { z } from 'zod';
import { durationWords, formatDuration, parseDuration } from '@watchpost/shared/duration';
import { NOT_IN_NAMES } from '@watchpost/shared/clean-line';
import { HOME_REGION, LOCATION_PREFIX, parseRegion, REGIONS, type Region } from '@watchpost/shared/region';
import type { Rows } from '../db/database.js';
import { isPlain } from '../documents/fields.js';

/** Most rows that one page of a list holds; a larger `pageSize` is cut to it. */
export const MAX_PAGE_SIZE = 200;
const MAX_PAGE = 1_000_000;
const EARLIEST_MS = 0;
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** An identifier, in lower case whatever case it came in. In a path, one that is no UUID is answered with 404. */
export const uuid = z.uuid('must be a UUID').toLowerCase();

/** The path parameter of a link with a token. Any text, so that a malformed token is answered with 404 like an unknown one. */
export const linkTokenParams = z.strictObject({ token: z.string() });

/** The query of a link. Mail programs, chats and calendar programs append parameters to links. */
export const linkQuery = z.looseObject({});

/** A route of which the link is the credential. */
export const BY_LINK = {
  scopes: 'anonymous',
  role: null,
  params: linkTokenParams,
  query: linkQuery,
  secretPath: true,
} as const;

/** A route for everybody, which is quiet in the log. Probes and browsers may add parameters of their own, against caches. */
export const FOR_ANYBODY = {
  method: 'get',
  tag: 'Operation',
  scopes: 'anonymous',
  role: null,
  quiet: true,
  query: z.looseObject({}),
} as const;

/** A moment as text, ISO 8601 with zone: for answers, and for input that is kept as text. */
export const isoTimestamp = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone, like 2026-11-21T08:30:00Z' })
  .max(40)
  .meta({ format: 'date-time', example: '2026-11-21T08:30:00.000Z' });

/** A moment given by a caller, ISO 8601 with zone; the output is ms since the epoch, 1970 to 9999. */
export const instant = isoTimestamp
  .transform((text) => Date.parse(text))
  .refine((ms) => ms >= EARLIEST_MS && ms <= LATEST_MS, { error: 'must lie between the years 1970 and 9999' })
  .meta({ format: 'date-time', example: '2026-11-21T08:30:00Z' });

const LAST_PLANNED_YEAR = 2200;
const PLANNED_ERROR = `must lie between the years 1970 and ${LAST_PLANNED_YEAR}`;
/** The first moment for which nothing is planned. */
export const PLANNED_UNTIL_MS = Date.UTC(LAST_PLANNED_YEAR + 1, 0, 1);

/** Whether a date, or a local time that begins with one, is within the years for which people plan. What is computed from it fits everywhere. */
const isPlannable = (text: string) => text >= '1970' && text < String(LAST_PLANNED_YEAR + 1);

/** A moment for which something is planned; the output is ms since the epoch. */
export const plannedInstant = instant.refine((ms) => ms < PLANNED_UNTIL_MS, { error: PLANNED_ERROR });

/** A day for which something is planned, without zone. */
export const plannedDate = z.iso
  .date('must be a date like 2026-11-21')
  .refine(isPlannable, { error: PLANNED_ERROR })
  .meta({ format: 'date', example: '2026-11-21' });

/** What is wrong with a local date and time without offset, to the minute or second, for which something is planned; null: nothing. */
export function plannedLocalTimeFault(text: string): string | null {
  const isOne = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) && text.slice(17) !== '60';
  const ms = isOne ? Date.parse(`${text}Z`) : Number.NaN;
  // The 30th of February would be carried into March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text))
    return 'must be a local date and time without offset, like 2027-03-28T02:00';
  return isPlannable(text) ? null : PLANNED_ERROR;
}

/** RFC 5321 §4.5.3.1: the length of an address, and of the part before the @. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

export const emailAddress = z
  .email('must be an email address, like ops@example.com')
  .max(MAX_ADDRESS)
  .refine((address) => address.indexOf('@') <= MAX_LOCAL_PART, {
    error: `must have at most ${MAX_LOCAL_PART} characters before the @`,
  });

export const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164 notation, like +353871234567' })
  .meta({ example: '+353871234567' });

const wholeNumber = (error: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number);

/** `page` from 1 and `pageSize` (default 50, over 200 is cut to 200), as numbers. */
export const pageQuery = z.strictObject({
  page: wholeNumber('must be a whole number from 1')
    .refine((page) => page >= 1 && page <= MAX_PAGE, { error: `must be a whole number from 1 to ${MAX_PAGE}` })
    .default(1)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1, description: 'Which page, from 1.' }),
  pageSize: wholeNumber('must be a whole number from 1')
    .refine((size) => size >= 1, { error: 'must be a whole number from 1' })
    .transform((size) => Math.min(size, MAX_PAGE_SIZE))
    .default(50)
    .meta({
      type: 'integer',
      minimum: 1,
      default: 50,
      description: `How many a page; more than ${MAX_PAGE_SIZE} is cut to ${MAX_PAGE_SIZE}.`,
    }),
});

/** The rows of a page, for a store: the query's `page` counts from 1. */
export function rowsOfPage({ page, pageSize }: { page: number; pageSize: number }): Rows {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}

/**
 * `startDate` (inclusive) and `endDate` (exclusive) as ms since the epoch, both optional. The shell
 * refuses a start that is not before its end, also where these two are part of another object.
 */
export const timeRangeQuery = z.strictObject({
  startDate: instant.optional().meta({ description: 'Only what lies at or after this moment.' }),
  endDate: instant.optional().meta({ description: 'Only what lies before this moment.' }),
});

/** A time of day on the clocks of some zone. */
export const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 09:00')
  .meta({ example: '09:00' });

/** An ISO 8601 duration in answers, canonically spelled. */
export const isoDuration = z.string().meta({ format: 'duration', example: 'PT1M' });

/** An ISO 8601 duration given by a caller, in any equivalent spelling; the output is ms. Both bounds are inclusive. */
export function durationSchema({ minMs, maxMs }: { minMs: number; maxMs: number }) {
  const error = `must be an ISO 8601 duration from ${durationWords(minMs)} (${formatDuration(minMs)}) to ${durationWords(maxMs)} (${formatDuration(maxMs)})`;
  return z
    .string({ error })
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({
      format: 'duration',
      description: `ISO 8601 duration, ${formatDuration(minMs)} to ${formatDuration(maxMs)}`,
      example: formatDuration(minMs),
    });
}

/** A region's API name in any case, spelled as the region is in the output, or `private:` and a slug. */
export const placeFilter = z
  .string()
  .transform((text, context): string => {
    const region = parseRegion(text);
    if (region) return region;
    if (text.startsWith(LOCATION_PREFIX)) return text;
    const names = REGIONS.map(({ name }) => name).join(', ');
    context.addIssue({
      code: 'custom',
      message: `must be one of ${names}, or private: and the slug of a private location`,
    });
    return z.NEVER;
  })
  .meta({ description: 'A region, or `private:` and the slug of a private location', example: HOME_REGION });

/** Where a result comes from, in answers: the name of a region, or `private:` and the slug of a private location. */
export const shownRegion = z.string().meta({ example: HOME_REGION }) as z.ZodType<string> as z.ZodType<Region>;
/** Where a result comes from, with the name of a private location beside its slug. */
export const shownPlace = { region: shownRegion, regionName: z.string().optional().describe('Of a private location') };

/** People who are shown such a URL would read a password in it. */
export const hasCredentials = (url: string): boolean => /^\w+:\/*[^/?#]*@/.test(url);

export const NOT_ONE_LINE =
  'must not hold line breaks, control characters, or characters that change the direction of text';
export const isOneLine = (text: string): boolean => text.search(NOT_IN_NAMES) < 0;

/** A name of 1 to `most` characters, outer blanks taken off: one line, which shows its characters in their order wherever it is read. */
export function nameUpTo(most: number) {
  return z.string().trim().min(1).max(most).refine(isOneLine, { error: NOT_ONE_LINE });
}

export const nameText = nameUpTo(200);

/**
 * A map from names to values. What is wrong with the names is reported beside what is wrong with values.
 * @param faultsOf everything that is wrong with it beside the values; `name` is null for the whole
 */
export function mapFromNames<Value extends z.ZodType>(
  value: Value,
  faultsOf: (values: Readonly<Record<string, unknown>>) => readonly { name: string | null; message: string }[],
) {
  return z.record(z.string(), value).superRefine(
    (values, context) => {
      for (const { name, message } of faultsOf(values))
        context.addIssue({ code: 'custom', path: name === null ? [] : [name], message });
    },
    { when: ({ value: given }) => isPlain(given) },
  );
}

/**
 * Text with rules of its own, without the white space around it. They are not asked about a text that is too long: it may be a megabyte.
 * @param faultsOf everything that is wrong with it, as the ends of sentences
 */
export function checkedText(maxLength: number, faultsOf: (text: string) => readonly string[]) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength, { abort: true })
    .superRefine((text, context) => {
      for (const message of faultsOf(text)) context.addIssue({ code: 'custom', message });
    });
}

/** `true` or `false` in a query. */
export const booleanParam = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true')
  .meta({ type: 'boolean' });

/** A whole number in a query, both bounds inclusive. */
export function integerParam({ min, max }: { min: number; max: number }) {
  const error = `must be a whole number from ${min} to ${max}`;
  return wholeNumber(error)
    .refine((value) => value >= min && value <= max, { error })
    .meta({ type: 'integer', minimum: min, maximum: max });
}

export const forceQuery = z.strictObject({
  force: booleanParam
    .default(false)
    .describe('Whether to change it even if the only person on call of the next 7 days could not be paged'),
});

/** The query of an action that is done in any case by default. */
export const guardQuery = z.strictObject({
  force: booleanParam
    .optional()
    .describe(
      'false: refused with 409 `would_be_unreachable` if nobody on call of the next 7 days could be paged afterwards',
    ),
});
