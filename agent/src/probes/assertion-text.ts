import type { Assertion, AssertionTarget } from '@watchpost/shared/assertions/assertion';
import { isNumeric } from '@watchpost/shared/assertions/exact-number';
import { SOURCES } from '@watchpost/shared/assertions/sources';
import { durationWords, parseDuration } from '@watchpost/shared/duration';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { cutText } from '@watchpost/shared/storable-text';
import { countOf, isCount, type AssertedValue } from './decide-comparison.js';
import { isSecretAnswer } from './http-evidence.js';

const MOST_SHOWN = 200;
/** Enough for a secret that begins within the part that is shown. */
const MOST_MASKED = 2_000;
const MOST_LISTED = 5;

/** Puts what an assertion expects into words that follow "instead of". */
export function expectedText({ comparison, target }: Assertion, mask: (text: string) => string): string {
  return cutText(mask(words(comparison, target)), MOST_SHOWN);
}

function words(comparison: Assertion['comparison'], target: Assertion['target']): string {
  const wanted = targetText(target);
  switch (comparison) {
    case 'equals':
      return wanted;
    case 'notEquals':
      return `anything but ${wanted}`;
    case 'contains':
      return `containing ${wanted}`;
    case 'notContains':
      return `not containing ${wanted}`;
    case 'matches':
      return `matching ${wanted}`;
    case 'notMatches':
      return `not matching ${wanted}`;
    case 'lessThan':
      return `less than ${wanted}`;
    case 'greaterThan':
      return `more than ${wanted}`;
    case 'exists':
      return 'being there';
    case 'notExists':
      return 'being missing';
    case 'in':
      return `one of ${wanted}`;
    case 'countEquals':
      return items(Number(target));
    case 'countLessThan':
      return `fewer than ${items(Number(target))}`;
    case 'countGreaterThan':
      return `more than ${items(Number(target))}`;
    case 'olderThan':
    case 'newerThan':
      return `a time ${comparison === 'olderThan' ? 'older' : 'newer'} than ${durationWords(durationMs(target))}`;
  }
}

function durationMs(target: Assertion['target']): number {
  return (typeof target === 'string' && parseDuration(target)) || 0;
}

function targetText(target: Assertion['target']): string {
  if (!Array.isArray(target)) return scalarText(target ?? null);
  const rest = target.length - MOST_LISTED;
  return `${target.slice(0, MOST_LISTED).map(scalarText).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}`;
}

function scalarText(target: AssertionTarget): string {
  return typeof target === 'object' && target !== null ? target.number : JSON.stringify(target);
}

/** A value of an answer, or how many there are; null where there is none. */
export function shownText(
  { source, property = '', comparison }: Assertion,
  values: readonly AssertedValue[],
  at: number,
  mask: (text: string) => string,
): string | null {
  if (isCount(comparison)) return items(countOf(values));
  const value = values[at];
  if (value === undefined) return null;
  if (source === 'header' && isSecretAnswer(property)) return MASK;
  if (Array.isArray(value)) return `a list of ${items(value.length)}`;
  if (typeof value === 'object' && value !== null && !isNumeric(value)) return 'an object';
  if (typeof value === 'number' && source === 'responseTime') return String(Math.round(value * 10) / 10);
  if (typeof value !== 'string') return cutText(String(value), MOST_SHOWN);
  return quoted(mask(value.slice(0, MOST_MASKED)));
}

/** A text within quotes and at most 200 characters with them. */
function quoted(text: string): string {
  const whole = JSON.stringify(text.slice(0, MOST_SHOWN + 1));
  return whole.length <= MOST_SHOWN ? whole : `${cutText(whole, MOST_SHOWN - 2)}…"`;
}

/** Explains a failed assertion: by its value at a place, or because it could not be evaluated. */
export function failureText(
  { source, property, comparison }: Assertion,
  actual: string | null,
  expected: string,
  cause: { at: number; count: number } | { why: string },
): string {
  const { label } = SOURCES[source];
  const name =
    property === undefined ? '' : ` ${cutText(source === 'header' ? property.toLowerCase() : property, MOST_SHOWN)}`;
  const subject = `${label}${name}`;
  if ('why' in cause) return `${subject} could not be compared: ${cause.why}.`;
  if (isCount(comparison)) return `${subject} has ${actual} instead of ${expected}.`;
  const place = cause.count > 1 ? ` (${cause.at + 1} of ${cause.count})` : '';
  const found = actual ?? (source === 'json' ? 'without a match' : 'missing');
  return `${subject}${place} is ${found} instead of ${expected}.`;
}

function items(count: number): string {
  return `${count} item${count === 1 ? '' : 's'}`;
}
