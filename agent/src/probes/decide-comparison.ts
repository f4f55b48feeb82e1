import type { Assertion, Comparison } from '@watchpost/shared/assertions/assertion';
import { isSameJson, type ExactJson } from '@watchpost/shared/assertions/exact-json';
import { compareNumbers, exactNumber, isNumeric, type ExactNumber } from '@watchpost/shared/assertions/exact-number';
import { Pattern } from '@watchpost/shared/assertions/pattern';
import type { Work } from '@watchpost/shared/assertions/work';
import { parseDuration } from '@watchpost/shared/duration';
import { includesText } from './decide-text-search.js';

export type AssertedValue = ExactJson;
type Comparer = (value: AssertedValue) => boolean;

/** A number of seconds since the epoch is below, one of ms from here on: year 5138, and 1973. */
const FIRST_MS = 1e11;
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** As in headers (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

export function isCount(comparison: Comparison): boolean {
  return comparison.startsWith('count');
}

/** The items of the one match that is a list, otherwise the number of matches. */
export function countOf(values: readonly AssertedValue[]): number {
  const [only] = values;
  return values.length === 1 && Array.isArray(only) ? only.length : values.length;
}

/** Returns a function that decides whether a value satisfies an assertion; of `count…` the value is the count. */
export function comparerOf({ source, comparison, target }: Assertion, nowMs: number, work: Work): Comparer {
  const wanted = exactTarget(target);
  switch (comparison) {
    case 'equals':
    case 'countEquals':
      return (value) => isSame(value, wanted);
    case 'notEquals':
      return (value) => !isSame(value, wanted);
    case 'in':
      return (value) => (wanted as ExactJson[]).some((one) => isSame(value, one));
    case 'contains':
      return (value) => contains(value, wanted, work);
    case 'notContains':
      return (value) => isContainer(value) && !contains(value, wanted, work);
    case 'matches':
      return (value) => typeof value === 'string' && Pattern.of(wanted as string).test(value, work);
    case 'notMatches':
      return (value) => typeof value === 'string' && !Pattern.of(wanted as string).test(value, work);
    case 'lessThan':
    case 'countLessThan':
      return (value) => isNumeric(value) && compareNumbers(value, wanted as ExactNumber) < 0;
    case 'greaterThan':
    case 'countGreaterThan':
      return (value) => isNumeric(value) && compareNumbers(value, wanted as ExactNumber) > 0;
    case 'olderThan':
      return (value) => ageMs(value, source !== 'json', nowMs) > parseDuration(wanted as string)!;
    case 'newerThan':
      return (value) => ageMs(value, source !== 'json', nowMs) < parseDuration(wanted as string)!;
    case 'exists':
    case 'notExists':
      return () => true;
  }
}

function exactTarget(target: Assertion['target']): ExactJson {
  if (Array.isArray(target)) return target.map(exactTarget);
  if (typeof target !== 'object' || target === null) return target ?? null;
  return exactNumber(target.number);
}

function isSame(value: AssertedValue, wanted: ExactJson): boolean {
  return isSameJson(value, wanted, () => {});
}

/** A list contains one of its items, a text a part of it. */
function contains(value: AssertedValue, wanted: ExactJson, work: Work): boolean {
  if (Array.isArray(value)) {
    work.spend(value.length);
    return value.some((item) => isSame(item, wanted));
  }
  return typeof value === 'string' && typeof wanted === 'string' && includesText(value, wanted, work);
}

function isContainer(value: AssertedValue): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

/** Returns how long ago a time was; NaN for what is no time. @param isText text is all that there can be, also for a number */
function ageMs(value: AssertedValue, isText: boolean, nowMs: number): number {
  const given = isText && typeof value === 'string' && /^\s*\d{9,14}\s*$/.test(value) ? Number(value) : value;
  if (isNumeric(given)) {
    const time = Number(given) * (Number(given) < FIRST_MS ? 1_000 : 1);
    return Number.isFinite(time) ? nowMs - time : Number.NaN;
  }
  if (typeof given !== 'string') return Number.NaN;
  const text = given.trim();
  if (HTTP_DATE.test(text)) return nowMs - Date.parse(text);
  const iso = ISO_TIME.exec(text);
  if (iso === null) return Number.NaN;
  const time = text
    .toUpperCase()
    .replace(' ', 'T')
    .replace(',', '.')
    .replace(/([+-]\d\d)$/, (zone) => (text.length > 10 ? `${zone}:00` : zone));
  // A time without a zone is one of UTC, as is a day.
  return nowMs - Date.parse(iso[1] === undefined && text.length > 10 ? `${time}Z` : time);
}
