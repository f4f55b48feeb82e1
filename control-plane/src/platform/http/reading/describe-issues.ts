import type { core } from 'zod';
import type { FaultDetail } from '@watchpost/shared/fault';

/** More faults than this help nobody, and an answer must not outgrow its request. */
const MAX_DETAILS = 100;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an email address',
  url: 'a URL',
  datetime: 'an ISO 8601 time',
  date: 'a date like 2026-11-21',
  time: 'a time like 09:00',
  e164: 'a phone number like +3531234567',
};

/** Turns the issues of zod into details for callers, one for each member of a union and each unknown key, at most 100. */
export function describeIssues(
  issues: readonly core.$ZodIssue[],
  unknownKey = 'is not a field of this request',
): FaultDetail[] {
  const details: FaultDetail[] = [];
  for (const issue of issues) {
    if (details.length >= MAX_DETAILS) break;
    collect(issue, [], unknownKey, details);
  }
  return details.slice(0, MAX_DETAILS);
}

function collect(issue: core.$ZodIssue, at: readonly PropertyKey[], unknownKey: string, details: FaultDetail[]): void {
  const path = [...at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys.slice(0, MAX_DETAILS))
      details.push({ path: dotted([...path, key]), message: unknownKey });
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    for (const inner of closestBranch(issue.errors)) collect(inner, path, unknownKey, details);
  } else {
    details.push({ path: dotted(path), message: issue.message });
  }
}

/** Of a union's branches, the one that the value came furthest into: its faults are what the caller meant. */
function closestBranch(branches: readonly (readonly core.$ZodIssue[])[]): readonly core.$ZodIssue[] {
  const depth = (issues: readonly core.$ZodIssue[]) =>
    issues.reduce((most, { path }) => Math.max(most, path.length), -Infinity);
  return branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0]!;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, 500);
}

/** Our wording for what schemas do not word themselves; passed to every parse of a request. */
export function issueSentence(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected as string] ?? issue.expected}`;
    case 'too_small':
      return bound(issue.origin, issue.minimum as number, issue.inclusive !== false, 'at least', 'more than');
    case 'too_big':
      return bound(issue.origin, issue.maximum as number, issue.inclusive !== false, 'at most', 'less than');
    case 'invalid_format':
      return `must be ${FORMATS[issue.format as string] ?? 'in the right format'}`;
    case 'invalid_value':
      return `must be ${(issue.values as unknown[]).length > 1 ? 'one of ' : ''}${(issue.values as unknown[]).map(String).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'invalid_union':
      return 'has none of the accepted forms';
    case 'invalid_key':
      return 'has a key that is not accepted';
    default:
      return undefined;
  }
}

function bound(origin: string, limit: number, inclusive: boolean, closed: string, open: string): string {
  const words = `${inclusive ? closed : open} ${limit}`;
  if (origin === 'string')
    return limit === 1 && closed === 'at least' ? 'must not be empty' : `must have ${words} characters`;
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return `must have ${words} ${limit === 1 ? 'entry' : 'entries'}`;
  return `must be ${words}`;
}
