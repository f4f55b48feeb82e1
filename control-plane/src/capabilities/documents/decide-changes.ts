import { isDeepStrictEqual } from 'node:util';
import { type Fields, isPlain } from './fields.js';

/** The fields that differ, by their dotted path; lists differ as a whole. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

export interface Comparable {
  /** With secrets as `***`. */
  fields: Fields;
  /** By their path in the fields. */
  secrets: Readonly<Record<string, string>>;
}

/**
 * Compares an object as it is with the object as a document wants it. A field that the document leaves alone is in neither.
 * A secret that differs is a change from `***` to `***`: its value is never shown.
 */
export function decideFieldChanges(current: Comparable, desired: Comparable): FieldChanges {
  const changes: FieldChanges = {};
  compare(current.fields, desired.fields, '', changes);
  for (const path of new Set([...Object.keys(current.secrets), ...Object.keys(desired.secrets)])) {
    if (current.secrets[path] === desired.secrets[path] || Object.hasOwn(changes, path)) continue;
    const shown = (secrets: Comparable['secrets']) => (Object.hasOwn(secrets, path) ? '***' : null);
    changes[path] = { from: shown(current.secrets), to: shown(desired.secrets) };
  }
  return changes;
}

function compare(from: Fields, to: Fields, at: string, changes: FieldChanges): void {
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[name] ?? null, to[name] ?? null];
    if (isDeepStrictEqual(before, after)) continue;
    const path = at === '' ? name : `${at}.${name}`;
    if (isPlain(before) && isPlain(after)) compare(before, after, path, changes);
    else changes[path] = { from: before, to: after };
  }
}
