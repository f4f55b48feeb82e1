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

/** A map of headers has names of headers as keys, of which `env` could be one. */
const PLAIN_MAPS = new Set(['headers']);

/**
 * Replaces each `{ env: NAME }` by the value of the variable.
 * @returns the document, or a fault for each variable that is not set
 */
export function resolveEnvironment(
  document: MergedDocument,
  variable: (name: string) => string | undefined,
): ResolvedDocument | { faults: ErrorDetail[] } {
  const variables = new Map<string, string>();
  const faults: ErrorDetail[] = [];
  const value = replaceReferences(document.value, [], (name, path) => {
    const found = variable(name);
    if (found !== undefined) {
      variables.set(found, name);
      return found;
    }
    const message = `names the environment variable ${name}, which is not set`;
    faults.push({ path: path.join('.'), message, ...locate(document, path) });
    return undefined;
  });
  if (faults.length > 0) return { faults };
  return { value, variables, named: replaceReferences(document.value, [], (name) => new Variable(name)) };
}

function replaceReferences(
  value: unknown,
  path: readonly string[],
  replace: (name: string, path: readonly string[]) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const below = (each: unknown, field: string) => replaceReferences(each, [...path, field], replace);
  if (Array.isArray(value)) return value.map((each, index) => below(each, String(index)));
  const name = PLAIN_MAPS.has(path.at(-1) ?? '') ? undefined : nameOf(value as Record<string, unknown>);
  if (name !== undefined) return replace(name, path);
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, below(each, field)]));
}

function nameOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const { env, ...others } = value;
  return typeof env === 'string' && Object.keys(others).length === 0 ? env : undefined;
}
