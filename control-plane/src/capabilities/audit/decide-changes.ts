import { isDeepStrictEqual } from 'node:util';

/** What stands for the value of a secret. */
export const MASK = '***';
/** A value whose JSON is longer is kept as the beginning of its JSON. */
export const LONGEST_VALUE = 4_096;

/** The first half of a character that takes two, cut off from the second: no database takes it. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** Every change has its moment in the entry; the identifiers are those of the target and of the workspace. */
const LEFT_OUT = new Set(['id', 'workspaceId', 'created', 'lastModified']);

export type AuditChanges = Record<string, { from: unknown; to: unknown }>;

/**
 * The fields that differ between two representations of a thing, as REST shows them: secrets are masked there.
 * Objects are compared field by field (`settings.timezone`), arrays as a whole. A field that is absent is null.
 * @param before null for what did not exist before
 * @param after null for what exists no longer
 * @param secrets fields whose secret differs although both representations show the same
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
  return text.length <= LONGEST_VALUE ? value : `${text.slice(0, LONGEST_VALUE).replace(HALF_CHARACTER, '')}…`;
}
