import type { Assertion, AssertionResult, AssertionSource } from '@watchpost/shared/assertions/assertion';
import { parseExactJson, type ExactJson } from '@watchpost/shared/assertions/exact-json';
import { Query } from '@watchpost/shared/assertions/query';
import { SyntaxFault } from '@watchpost/shared/assertions/syntax-fault';
import { TooMuchWork, Work } from '@watchpost/shared/assertions/work';
import { valuesOf, type AnswerHead } from './answer-head.js';
import { expectedText, failureText, shownText } from './assertion-text.js';
import { comparerOf, countOf, isCount, type AssertedValue } from './decide-comparison.js';
import { ProbeFault } from './probe-fault.js';

/** The values that are compared; null where the answer has none. */
type OwnValues = Record<Exclude<AssertionSource, 'header' | 'body' | 'json' | 'bodySize'>, string | number | null>;

export interface AssertedAnswer extends OwnValues {
  head: AnswerHead;
  body: AssertedBody | UnreadBody;
  nowMs: number;
}

/** A complete body, decoded. */
export interface AssertedBody {
  size: number;
  text: string;
}

/** The reason why assertions about the body cannot be evaluated. */
export class UnreadBody {
  constructor(readonly why: string) {}
}

class NotEvaluated extends Error {}

/** Parsing a character costs this share of examining it. */
const PARSE_WORK = 0.5;

/** Evaluates all assertions, with at most the work that one check may cause. */
export function evaluateAssertions(
  assertions: readonly Assertion[],
  answer: AssertedAnswer,
  mask: (text: string) => string,
): AssertionResult[] {
  const work = new Work();
  let document: ExactJson | undefined;
  const json = (): ExactJson => (document ??= parsed(answer, work));
  return assertions.map((assertion, index): AssertionResult => {
    const expected = expectedText(assertion);
    try {
      const values = valuesFor(assertion, answer, json, work);
      const at = firstFailing(assertion, values, answer.nowMs, work);
      const actual = shownText(assertion, values, Math.max(at, 0), mask);
      const message = at === -1 ? null : failureText(assertion, actual, expected, { at, count: values.length });
      return { index, passed: at === -1, expected, actual, message };
    } catch (error) {
      const message = failureText(assertion, null, expected, { why: whyNot(error) });
      return { index, passed: false, expected, actual: null, message };
    }
  });
}

/** The fault by the first failed assertion of severity `down`, or else why the monitor is degraded. */
export function decideAssertions(
  assertions: readonly Assertion[],
  results: readonly AssertionResult[],
): { fault: ProbeFault | null; degraded: ProbeFault | null; isSlowOnly: boolean } {
  const failed = results.filter(({ passed }) => !passed);
  const down = failed.filter(({ index }) => assertions[index]!.severity === 'down');
  const first = down[0] ?? failed[0];
  if (first === undefined) return { fault: null, degraded: null, isSlowOnly: false };
  const values = { first: first.message!.slice(0, -1), failed: failed.length, all: results.length };
  const fault = new ProbeFault('assertion_failed', values);
  return {
    fault: down.length > 0 ? fault : null,
    degraded: down.length > 0 ? null : fault,
    isSlowOnly: (down.length > 0 ? down : failed).every(({ index }) => assertions[index]!.source === 'responseTime'),
  };
}

function valuesFor(
  { source, property = '' }: Assertion,
  answer: AssertedAnswer,
  json: () => ExactJson,
  work: Work,
): readonly AssertedValue[] {
  switch (source) {
    case 'header':
      return valuesOf(answer.head, property.toLowerCase());
    case 'body':
      return [bodyOf(answer).text];
    case 'bodySize':
      return [bodyOf(answer).size];
    case 'json':
      return Query.of(property).values(json(), work);
    default: {
      const value = answer[source];
      return value === null ? [] : [value];
    }
  }
}

/** The place of the first value that does not satisfy the comparison; -1: all do. Without values the place is 0. */
function firstFailing(assertion: Assertion, values: readonly AssertedValue[], nowMs: number, work: Work): number {
  const { comparison } = assertion;
  if (comparison === 'exists' || comparison === 'notExists')
    return values.length > 0 === (comparison === 'exists') ? -1 : 0;
  const compare = comparerOf(assertion, nowMs, work);
  if (isCount(comparison)) return compare(countOf(values)) ? -1 : 0;
  return values.length === 0 ? 0 : values.findIndex((value) => !compare(value));
}

function bodyOf({ body }: AssertedAnswer): AssertedBody {
  if (body instanceof UnreadBody) throw new NotEvaluated(body.why);
  return body;
}

function parsed(answer: AssertedAnswer, work: Work): ExactJson {
  const { text } = bodyOf(answer);
  work.spend(text.length * PARSE_WORK);
  try {
    return parseExactJson(text, work);
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotEvaluated('the body is no JSON');
    throw error;
  }
}

function whyNot(error: unknown): string {
  if (error instanceof NotEvaluated) return error.message;
  if (error instanceof SyntaxFault) return `it ${error.message}`;
  // A document of very deep parts exhausts the stack.
  if (error instanceof TooMuchWork || error instanceof RangeError)
    return 'the answer is too large for the queries and patterns of this check';
  throw error;
}
