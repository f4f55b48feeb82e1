import type { HttpStep, HttpTarget } from '@watchpost/shared/checks/http';
import { escapingOfBody, fill, type Escaping } from '@watchpost/shared/steps/fill';
import { placeholdersOf } from '@watchpost/shared/steps/placeholders';
import { ProbeFault } from '../probe-fault.js';

/** The most characters of values in one request: a value can be long, and stand in many places. */
const MOST_FILLED = 256 * 1024;

type Assertion = HttpStep['assertions'][number];
type AssertionTarget = Assertion['target'];

/**
 * The target of a step as a monitor of its own would have it, with its placeholders filled.
 * @param missing the reason why a name has no value
 */
export function fillStep(
  step: HttpStep,
  monitor: HttpTarget,
  values: ReadonlyMap<string, string>,
  missing: (name: string) => string,
): HttpTarget | ProbeFault {
  const { url, method, headers, auth, body, expectedStatus, assertions, extract } = step;
  const texts = [url, body ?? '', ...headers.map(({ value }) => value), ...assertions.flatMap(textsOf)];
  let length = 0;
  for (const { name } of texts.flatMap(placeholdersOf)) {
    const value = values.get(name);
    if (value === undefined) return new ProbeFault('variable_missing', { name, why: missing(name) });
    length += value.length;
  }
  if (length > MOST_FILLED) return new ProbeFault('invalid_target', { why: 'its variables make it too long' });
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return {
    ...monitor,
    url: fill(url, values, 'percent'),
    method,
    headers: headers.map(({ name, value }) => ({ name, value: fill(value, values, 'none') })),
    auth,
    body: body && fill(body, values, escapingOfBody(body, type)),
    expectedStatus,
    assertions: assertions.map((assertion) => fillAssertion(assertion, values)),
    extract,
    connectTo: null,
    keyword: null,
  };
}

function textsOf({ target }: Assertion): string[] {
  return [target].flat().filter((one) => typeof one === 'string');
}

function fillAssertion(assertion: Assertion, values: ReadonlyMap<string, string>): Assertion {
  const { comparison, target } = assertion;
  const escaping: Escaping = comparison === 'matches' || comparison === 'notMatches' ? 'pattern' : 'none';
  const filled = (one: AssertionTarget): AssertionTarget =>
    typeof one === 'string' ? fill(one, values, escaping) : one;
  if (textsOf(assertion).every((text) => placeholdersOf(text).length === 0)) return assertion;
  return { ...assertion, target: Array.isArray(target) ? (target.map(filled) as typeof target) : filled(target) };
}
