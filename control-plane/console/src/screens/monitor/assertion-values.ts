import type { Assertion, AssertionSource, AssertionTarget, Comparison } from '@watchpost/shared/assertions/assertion';
import { isRounded } from '@watchpost/shared/assertions/exact-number';
import { SOURCES } from '@watchpost/shared/assertions/sources';
import { capitalized } from '../../parts/format.js';

type Target = NonNullable<Assertion['target']> | null;

/** `Response time`. */
export function sourceWord(source: AssertionSource): string {
  return capitalized(SOURCES[source].label.replace(/^The /, ''));
}

export const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  equals: 'equals',
  notEquals: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  matches: 'matches the pattern',
  notMatches: 'does not match the pattern',
  lessThan: 'is less than',
  greaterThan: 'is greater than',
  exists: 'exists',
  notExists: 'does not exist',
  in: 'is one of',
  countEquals: 'has a count of',
  countLessThan: 'has a count below',
  countGreaterThan: 'has a count above',
  olderThan: 'is older than',
  newerThan: 'is newer than',
};

/** A new row begins with it. */
export const NEW_ASSERTION: Assertion = { source: 'status', comparison: 'equals', target: 200, severity: 'down' };

/** The kinds of targets: `any` is a value of JSON, whose type counts. */
export type TargetKind = 'none' | 'text' | 'number' | 'any' | 'list' | 'duration';

const BY_COMPARISON: Readonly<Partial<Record<Comparison, TargetKind>>> = {
  exists: 'none',
  notExists: 'none',
  contains: 'text',
  notContains: 'text',
  matches: 'text',
  notMatches: 'text',
  lessThan: 'number',
  greaterThan: 'number',
  countEquals: 'number',
  countLessThan: 'number',
  countGreaterThan: 'number',
  in: 'list',
  olderThan: 'duration',
  newerThan: 'duration',
};

export function targetKindOf({ source, comparison }: Pick<Assertion, 'source' | 'comparison'>): TargetKind {
  return BY_COMPARISON[comparison] ?? SOURCES[source].type;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERAL = /^(?:true|false|null|".*")$/s;

/** Reads what was typed. A text that looks like another value of JSON is written in quotes. */
export function readTarget(typed: string, kind: TargetKind, source: AssertionSource): Target {
  switch (kind) {
    case 'number':
      return NUMBER.test(typed.trim()) ? readValue(typed) : typed;
    case 'any':
      return readValue(typed);
    case 'list':
      return (typed.match(/\s*"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+/g) ?? []).flatMap((each) => {
        const item = each.trim();
        if (item === '') return [];
        return [SOURCES[source].type === 'text' && !item.startsWith('"') ? item : readValue(item)];
      });
    default:
      return typed;
  }
}

function readValue(typed: string): AssertionTarget {
  const text = typed.trim();
  if (NUMBER.test(text) && isRounded(text)) return { number: text };
  if (!NUMBER.test(text) && !LITERAL.test(text)) return typed;
  try {
    return JSON.parse(text) as AssertionTarget;
  } catch {
    return typed;
  }
}

/** Writes a target so that it is read as the same one. */
export function textOfTarget(target: Assertion['target'], kind: TargetKind, source: AssertionSource): string {
  if (target === undefined) return '';
  if (Array.isArray(target)) return target.map((item) => plainOrQuoted(item, 'list', source)).join(', ');
  return plainOrQuoted(target, kind, source);
}

function plainOrQuoted(value: AssertionTarget, kind: TargetKind, source: AssertionSource): string {
  if (typeof value === 'object' && value !== null) return value.number;
  const plain = String(value);
  const read = readTarget(plain, kind, source);
  const only = Array.isArray(read) && read.length === 1 && !plain.includes('"') ? read[0] : read;
  return only === value ? plain : JSON.stringify(value);
}

/** The assertion about another part of the answer, with the comparison if that fits. */
export function withSource(assertion: Assertion, source: AssertionSource): Assertion {
  const { property, ...rest } = assertion;
  const { comparisons, property: needed } = SOURCES[source];
  const comparison = comparisons.includes(rest.comparison) ? rest.comparison : comparisons[0]!;
  const next = { ...rest, source, ...(needed !== undefined && { property: property ?? '' }) };
  return retargeted(next, targetKindOf(assertion), assertion.source, comparison);
}

export function withComparison(assertion: Assertion, comparison: Comparison): Assertion {
  return retargeted(assertion, targetKindOf(assertion), assertion.source, comparison);
}

/** Keeps the target as far as the new kind can have it. */
function retargeted(
  assertion: Assertion,
  former: TargetKind,
  formerSource: AssertionSource,
  comparison: Comparison,
): Assertion {
  const { target, ...rest } = { ...assertion, comparison };
  const kind = targetKindOf(rest);
  if (kind === 'none') return rest;
  if (kind === 'duration') return { ...rest, target: former === 'duration' ? target! : 'P1D' };
  const typed = former === 'duration' ? '' : textOfTarget(target, former, formerSource);
  return { ...rest, target: readTarget(typed, kind, rest.source) };
}
