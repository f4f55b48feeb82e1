import type { ErrorDetail } from '../command/command-error.js';
import { locate } from './locate.js';
import type { MergedDocument } from './merge-sources.js';

export interface ResolvedDocument {
  value: unknown;
  /** The names of the variables that were resolved, by their values. */
  variables: ReadonlyMap<string, string>;
  /** The same document with a `Variable` in the place of each value of one. */
  named: unknown;
}

/** Where a document names a variable. */
export class Variable {
  constructor(readonly name: string) {}
}

/** Maps have names of headers or variables as keys, of which `env` could be one. */
const PLAIN_MAPS = new Set(['headers', 'metadata', 'variables']);

/**
 * Replaces each `{ env: NAME }` by the value of the variable. A variable that is set and empty is usually a secret that is
 * missing in a pipeline, so it has to be permitted by `allowEmpty: true`.
 * @returns the document, or a fault for each variable that is not set
 */
export function resolveEnvironment(
  document: MergedDocument,
  variable: (name: string) => string | undefined,
): ResolvedDocument | { faults: ErrorDetail[] } {
  const variables = new Map<string, string>();
  const faults: ErrorDetail[] = [];
  const value = replaceReferences(document.value, [], ({ name, allowsEmpty }, path) => {
    const found = variable(name);
    if (found !== undefined && (found !== '' || allowsEmpty)) {
      variables.set(found, name);
      return found;
    }
    const state = found === undefined ? 'not set' : 'empty: set it, or add `allowEmpty: true`';
    const message = `names the environment variable ${name}, which is ${state}`;
    faults.push({ path: path.join('.'), message, ...locate(document, path) });
    return undefined;
  });
  if (faults.length > 0) return { faults };
  return { value, variables, named: replaceReferences(document.value, [], ({ name }) => new Variable(name)) };
}

function replaceReferences(
  value: unknown,
  path: readonly string[],
  replace: (reference: Reference, path: readonly string[]) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const below = (each: unknown, field: string) => replaceReferences(each, [...path, field], replace);
  if (Array.isArray(value)) return value.map((each, index) => below(each, String(index)));
  const reference = PLAIN_MAPS.has(path.at(-1) ?? '') ? undefined : referenceOf(value as Record<string, unknown>);
  if (reference !== undefined) return replace(reference, path);
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, below(each, field)]));
}

interface Reference {
  name: string;
  allowsEmpty: boolean;
}

function referenceOf(value: Readonly<Record<string, unknown>>): Reference | undefined {
  const { env, allowEmpty = false, ...others } = value;
  if (typeof env !== 'string' || typeof allowEmpty !== 'boolean' || Object.keys(others).length > 0) return undefined;
  return { name: env, allowsEmpty: allowEmpty };
}
