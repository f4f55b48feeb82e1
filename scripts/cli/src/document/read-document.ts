import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import type { CommandContext } from '../command/command-context.js';
import { CommandError, type ErrorDetail } from '../command/command-error.js';
import { hideFields } from './hide-fields.js';
import { locate, splitPath } from './locate.js';
import { mergeSources } from './merge-sources.js';
import { parseSource, type ParsedSource } from './parse-source.js';
import { readSources } from './read-sources.js';
import { resolveEnvironment } from './resolve-environment.js';

/** A shorter value may be part of any text, so that replacing it there would hide nothing and break much. */
const LEAST_HIDDEN = 6;

export interface LocalDocument {
  value: unknown;
  /** Adds the position in the files to each fault that the service reports. */
  locateFaults(details: readonly ErrorDetail[]): ErrorDetail[];
  /** Replaces values of variables in what is shown by the names of the variables. */
  hideVariables<T>(shown: T): T;
  /** The same for the fields of a change, by the places of the variables in the document, however short their values are. */
  hideFields(change: ConfigPlan['changes'][number]): ConfigPlan['changes'][number]['fields'];
}

/**
 * Reads the files of a document, merges them and resolves the variables that they name.
 * @throws CommandError with every fault and its position
 */
export async function readDocument(
  { terminal, environment }: Pick<CommandContext, 'terminal' | 'environment'>,
  files: readonly string[],
): Promise<LocalDocument> {
  const sources = await readSources(files, terminal);
  const parsed = sources.map(parseSource);
  requireNone(parsed.flatMap((each) => ('faults' in each ? each.faults : [])));
  const merged = mergeSources(parsed as ParsedSource[]);
  if ('faults' in merged) throw faulty(merged.faults);
  const resolved = resolveEnvironment(merged, environment.variable);
  if ('faults' in resolved) throw faulty(resolved.faults, 'Set the variables, and run the command again.');
  const hide = hiderOf(resolved.variables);
  return {
    value: resolved.value,
    locateFaults: (details) =>
      details.map(({ path, message }) => {
        const dotted = path.replace(/^document\.?/, '');
        return { path: dotted, message: hide(message), ...locate(merged, splitPath(merged.value, dotted)) };
      }),
    hideVariables: hide,
    hideFields: (change) => hideFields(resolved.named, { ...change, fields: hide(change.fields) }),
  };
}

function requireNone(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw faulty(faults);
}

function faulty(details: readonly ErrorDetail[], nextStep = 'Correct the files, and run the command again.') {
  return new CommandError('The document has faults.', { code: 'validation_failed', details, nextStep });
}

function hiderOf(variables: ReadonlyMap<string, string>): <T>(shown: T) => T {
  // The longest first: a value may be part of another one.
  const hidden = [...variables].filter(([value]) => value.length >= LEAST_HIDDEN);
  hidden.sort(([a], [b]) => b.length - a.length);
  const hide = (shown: unknown): unknown => {
    if (typeof shown === 'string')
      return hidden.reduce((text, [value, name]) => text.replaceAll(value, `$${name}`), shown);
    if (Array.isArray(shown)) return shown.map(hide);
    if (typeof shown !== 'object' || shown === null) return shown;
    return Object.fromEntries(Object.entries(shown).map(([field, value]) => [field, hide(value)]));
  };
  return hide as <T>(shown: T) => T;
}
