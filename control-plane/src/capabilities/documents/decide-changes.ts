import { isDeepStrictEqual } from 'node:util';
import type { Configured } from '../../platform/documents/document-section.js';
import { type Fields, isPlain } from '../../platform/documents/fields.js';

/** The fields that differ, by their dotted path; lists differ as a whole. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

/**
 * Compares an object as it is with the object as a document wants it. A field that the document leaves alone is in neither.
 * A secret that differs is a change from `***` to `***`: its value is never shown.
 */
export function decideFieldChanges(current: Configured, desired: Configured): FieldChanges {
  const changes: FieldChanges = {};
  compare(current.fields, desired.fields, '', changes);
  for (const path of new Set([...Object.keys(current.secrets), ...Object.keys(desired.secrets)])) {
    if (current.secrets[path] === desired.secrets[path] || Object.hasOwn(changes, path)) continue;
    const shown = (secrets: Configured['secrets']) => (Object.hasOwn(secrets, path) ? '***' : null);
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
