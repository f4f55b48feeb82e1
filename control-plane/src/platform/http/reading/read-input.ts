import { z, type ZodObject, type ZodType } from 'zod';
import { Fault, type FaultDetail, invalidFields, notFound } from '@watchpost/shared/fault';
import { describeIssues, issueSentence } from './describe-issues.js';
import type { Route } from '../route.js';
import { isUnstorable, unstorableText } from './unstorable-text.js';

export interface RawInput {
  params: Readonly<Record<string, string>>;
  querystring: string;
  /** As parsed from JSON; undefined where there was none. */
  body: unknown;
}

export interface Input {
  params: unknown;
  query: unknown;
  body: unknown;
}

const NOTHING = z.strictObject({});

/**
 * Makes the reader of a route's input. Every fault of path, query and body is found before any is reported.
 * @returns a function that throws Fault `validation_failed` or, for an id that is no UUID, `not_found`
 */
export function inputReader(route: Route): (raw: RawInput) => Input {
  const params = route.params ?? NOTHING;
  const declared = route.query ?? NOTHING;
  const query = declared.def.catchall ? declared : declared.strict();
  const lists = listParameters(query);
  return (raw) => {
    const details: FaultDetail[] = [];
    const parsedParams = parseParams(params, raw.params, details);
    const parsedQuery = parse(
      query,
      queryObject(raw.querystring, lists),
      details,
      'is not a parameter of this request',
    );
    if (parsedQuery !== undefined) requireOrderedRange(parsedQuery, details);
    const body = route.body ? parseBody(route.body, raw.body, details) : undefined;
    if (details.length > 0) throw invalidFields(details.slice(0, 100));
    if (parsedParams === undefined) throw notFound('such resource');
    return { params: parsedParams, query: parsedQuery, body };
  };
}

/** @returns undefined, without a detail, where an id is no UUID: then the resource cannot exist */
function parseParams(schema: ZodObject, raw: Readonly<Record<string, string>>, details: FaultDetail[]): unknown {
  if (Object.values(raw).some(isUnstorable)) return undefined;
  const result = schema.safeParse(raw, { error: issueSentence });
  if (result.success) return result.data;
  const others = result.error.issues.filter((issue) => !(issue.code === 'invalid_format' && issue.format === 'uuid'));
  details.push(...describeIssues(others));
  return undefined;
}

function parseBody(schema: ZodType, raw: unknown, details: FaultDetail[]): unknown {
  if (raw === undefined && !schema.safeParse(undefined).success) throw new Fault('invalid_json', 'Send a JSON body.');
  return parse(schema, raw, details);
}

/**
 * Parses what a caller sent, whose text has to be storable, and adds every fault to `details`.
 * @returns undefined where there is one
 */
export function parse(schema: ZodType, raw: unknown, details: FaultDetail[], unknownKey?: string): unknown {
  const unstorable = unstorableText(raw);
  const result = schema.safeParse(raw, { error: issueSentence, reportInput: true });
  if (result.success && unstorable.length === 0) return result.data;
  const reported = new Set(unstorable.map(({ path }) => path));
  const others = result.success ? [] : describeIssues(result.error.issues, unknownKey);
  for (const detail of [...unstorable, ...others.filter(({ path }) => !reported.has(path))]) details.push(detail);
  return undefined;
}

/** A parameter given more than once becomes a list, which only list schemas take. */
function queryObject(querystring: string, lists: ReadonlySet<string>): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  if (querystring === '') return query;
  for (const [name, value] of new URLSearchParams(querystring)) {
    const before = query[name];
    // Added to, never copied: strangers can name one parameter some thousand times.
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) query[name] = [before, value];
    else query[name] = lists.has(name) ? [value] : value;
  }
  return query;
}

function listParameters(query: ZodObject): Set<string> {
  const isList = (schema: unknown): boolean => {
    const { type, innerType, in: input } = (schema as { def: { type: string; innerType?: unknown; in?: unknown } }).def;
    return type === 'array' || (innerType !== undefined && isList(innerType)) || (input !== undefined && isList(input));
  };
  return new Set(Object.keys(query.shape).filter((name) => isList(query.shape[name])));
}

/** Here rather than in the schema, because spreading a schema's shape into another loses its refinements. */
function requireOrderedRange(query: unknown, details: FaultDetail[]): void {
  const { startDate, endDate } = query as { startDate?: unknown; endDate?: unknown };
  if (typeof startDate === 'number' && typeof endDate === 'number' && startDate >= endDate) {
    details.push({ path: 'endDate', message: 'must be later than `startDate`' });
  }
}
