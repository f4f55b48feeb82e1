import { isDeepStrictEqual } from 'node:util';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { cutText } from '@watchpost/shared/storable-text';

/** Of a value with a longer JSON text, only the beginning of that text is stored. */
export const LONGEST_VALUE = 4_096;

/** Fields that the entry itself already contains. */
const LEFT_OUT = new Set(['id', 'workspaceId', 'created', 'lastModified']);

export type AuditChanges = Record<string, { from: unknown; to: unknown }>;

/**
 * The fields that differ between two representations of a thing in REST, where secrets are masked.
 * Objects are compared field by field (`settings.timezone`), arrays as a whole. An absent field counts as null.
 * @param before null for a created thing
 * @param after null for a deleted thing
 * @param secrets fields whose secrets differ although both representations show the same
 */
export function decideChanges(
  before: object | null,
  after: object | null,
  secrets: readonly string[] = [],
): AuditChanges {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  const changes = new Map<string, { from: unknown; to: unknown }>();
  for (const field of new Set([...from.keys(), ...to.keys()])) {
    const change = { from: from.get(field) ?? null, to: to.get(field) ?? null };
    if (!isDeepStrictEqual(change.from, change.to))
      changes.set(field, { from: shorten(change.from), to: shorten(change.to) });
  }
  for (const field of secrets) if (!changes.has(field)) changes.set(field, { from: MASK, to: MASK });
  return Object.fromEntries(changes);
}

function fieldsOf(thing: object | null): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  const add = (path: string, value: unknown) => {
    if (!isRecord(value)) fields.set(path, value);
    else for (const [name, inner] of Object.entries(value)) add(`${path}.${name}`, inner);
  };
  for (const [name, value] of Object.entries(thing ?? {})) if (!LEFT_OUT.has(name)) add(name, value);
  return fields;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function shorten(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? value : `${cutText(text, LONGEST_VALUE)}…`;
}
