import type { Assertion, AssertionResult } from '@watchpost/shared/assertions/assertion';
import type { Work } from '@watchpost/shared/assertions/work';
import { whyNotRead, type AnswerValues } from './answer-values.js';
import { expectedText, failureText, shownText } from './assertion-text.js';
import { comparerOf, countOf, isCount, type AssertedValue } from './decide-comparison.js';
import { ProbeFault } from './probe-fault.js';

export function evaluateAssertions(
  assertions: readonly Assertion[],
  answer: AnswerValues,
  mask: (text: string) => string,
): AssertionResult[] {
  return assertions.map((assertion, index): AssertionResult => {
    const expected = expectedText(assertion, mask);
    try {
      const values = answer.of(assertion.source, assertion.property);
      const at = firstFailing(assertion, values, answer.answer.nowMs, answer.work);
      const actual = shownText(assertion, values, Math.max(at, 0), mask);
      const message = at === -1 ? null : failureText(assertion, actual, expected, { at, count: values.length });
      return { index, passed: at === -1, expected, actual, message };
    } catch (error) {
      const message = failureText(assertion, null, expected, { why: whyNotRead(error) });
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

/** The place of the first value that does not satisfy the comparison; -1: all do. Without values the place is 0. */
function firstFailing(assertion: Assertion, values: readonly AssertedValue[], nowMs: number, work: Work): number {
  const { comparison } = assertion;
  if (comparison === 'exists' || comparison === 'notExists')
    return values.length > 0 === (comparison === 'exists') ? -1 : 0;
  const compare = comparerOf(assertion, nowMs, work);
  if (isCount(comparison)) return compare(countOf(values)) ? -1 : 0;
  return values.length === 0 ? 0 : values.findIndex((value) => !compare(value));
}
