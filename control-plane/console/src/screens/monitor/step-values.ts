import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { BUILT_INS, placeholdersOf } from '@watchpost/shared/steps/placeholders';

type Http = MonitorValues['http'];
export type Step = Http['steps'][number];
export type Extractions = Http['extract'];
export type Extraction = Extractions[string];
/** The path of a request in the form: the monitor's own, or one of the steps. */
export type RequestPath = 'http' | `http.steps.${number}`;

/** A new step begins as the monitor's own request does. */
export function newStep({ method, auth, body, expectedStatusCodes, assertions, extract }: Http, place: number): Step {
  const request = { method, headers: {}, auth, body, expectedStatusCodes, assertions, extract };
  return { name: `Step ${place}`, url: '', ...request, always: false, delay: 'PT0S' };
}

/** @returns the names that a step can use: variables, what earlier requests extract, and those that every run has */
export function namesAt({ variables, extract, steps }: Http, index: number): string[] {
  const earlier = [extract, ...steps.slice(0, index).map((step) => step.extract)];
  return [...new Set([...[variables, ...earlier].flatMap((names) => Object.keys(names)), ...BUILT_INS])];
}

/** @returns `name`, with a number behind it where the others have it already */
export function freeName(name: string, others: object): string {
  const taken = (each: string) => Object.hasOwn(others, each) || BUILT_INS.has(each);
  let free = name;
  for (let number = 2; taken(free); number++) free = `${name}${number}`;
  return free;
}

/**
 * @returns settings whose test ends with this step, and answers what it gets; -1 ends with the monitor's own request. Later steps that always
 * run clean up after it, unless they need what is only extracted by steps that are not tested.
 */
export function withStepsUpTo(values: MonitorValues, index: number): MonitorValues {
  const { http } = values;
  const tested = http.steps.slice(0, index + 1).map((step, at) => (at === index ? { ...step, always: false } : step));
  const steps = http.steps.slice(index + 1).reduce((kept, step) => {
    const names = namesAt({ ...http, steps: kept }, kept.length);
    return step.always && namesIn(step).every((name) => names.includes(name)) ? [...kept, step] : kept;
  }, tested);
  return { ...values, http: { ...http, steps } };
}

function namesIn({ url, headers, body, assertions }: Step): string[] {
  return placeholdersOf(JSON.stringify({ url, headers, body, assertions })).map(({ name }) => name);
}

/** @returns settings that test this step without those before it; undefined where it uses what they extract */
export function withStepAlone(values: MonitorValues, step: Step) {
  if (namesIn(step).length > 0) return undefined;
  const { name: _, url, always: _a, delay: _d, ...request } = step;
  const none = { extract: {}, steps: [], variables: {}, keyword: null, connectTo: null };
  return { ...values, url, http: { ...values.http, ...request, ...none } };
}
