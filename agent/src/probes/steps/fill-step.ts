import type { HttpStep, HttpTarget } from '@watchpost/shared/checks/http';
import { escapingOfBody, fill, type Escaping } from '@watchpost/shared/steps/fill';
import { parseUrl } from '@watchpost/shared/parse-url';
import { placeholdersOf } from '@watchpost/shared/steps/placeholders';
import { ProbeFault } from '../probe-fault.js';

/** The most characters of values in one request: a value can be long, and stand in many places. */
const MOST_FILLED = 256 * 1024;

/** The most characters of the URL and headers of a request with its values: servers refuse more, and evidence has them. */
const MOST_HEAD = 32 * 1024;

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
  const filledUrl = fill(url, values, 'percent');
  const filledHeaders = headers.map(({ name, value }) => ({ name, value: fill(value, values, 'none') }));
  const headLength = filledHeaders.reduce((sum, { name, value }) => sum + name.length + value.length, filledUrl.length);
  if (length > MOST_FILLED || headLength > MOST_HEAD)
    return new ProbeFault('invalid_target', { why: 'its variables make it too long' });
  if (depthOf(filledUrl) !== depthOf(url))
    return new ProbeFault('invalid_target', { why: 'a variable makes “.” or “..” of a part of its path' });
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return {
    ...monitor,
    url: filledUrl,
    method,
    headers: filledHeaders,
    auth,
    body: body && fill(body, values, escapingOfBody(body, type)),
    expectedStatus,
    assertions: assertions.map((assertion) => fillAssertion(assertion, values)),
    extract,
    connectTo: null,
    keyword: null,
  };
}

/** The parts of a request with values that are secrets: `body`, and the lower-case names of headers. */
export function secretPartsOf(
  { headers, body }: HttpStep,
  secretNames: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  const parts = [
    ...headers.map(({ name, value }) => ({ part: name.toLowerCase(), text: value })),
    { part: 'body', text: body ?? '' },
  ];
  const secret = parts.filter(({ text }) => placeholdersOf(text).some(({ name }) => secretNames.has(name)));
  return secret.length > 0 ? new Set(secret.map(({ part }) => part)) : undefined;
}

/** Counts the parts of the path: a value cannot add one, but it can take some away. */
function depthOf(url: string): number | undefined {
  return parseUrl(url)?.pathname.split('/').length;
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
