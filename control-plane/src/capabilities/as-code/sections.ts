import type { Fields } from './fields.js';

/** The kinds of objects in a document, by the name of their section, in the order in which they can be created. */
export const SECTIONS = ['serviceGroups', 'actionGroups', 'monitors', 'statusPages'] as const;
export type Section = (typeof SECTIONS)[number];

/** Keys and projects. */
export const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Fields that name another object by its key. REST has the same field with `Id` at its end. */
export const REFERENCES: Readonly<Record<string, Section>> = { serviceGroup: 'serviceGroups', monitor: 'monitors' };

/** A map whose keys are names of HTTP headers has no references in it. */
const OPAQUE = new Set(['headers']);

/** Replaces each reference by key with the field of REST, at any depth. */
export function withIds(fields: Fields, idOf: (section: Section, key: unknown, path: string) => unknown): Fields {
  return mapFields(fields, '', (name, value, path) =>
    Object.hasOwn(REFERENCES, name)
      ? [`${name}Id`, value === null ? null : idOf(REFERENCES[name]!, value, path)]
      : undefined,
  );
}

/** The reverse of `withIds`. */
export function withKeys(fields: Fields, keyOf: (section: Section, id: string) => string): Fields {
  return mapFields(fields, '', (name, value) => {
    const field = name.endsWith('Id') ? name.slice(0, -2) : '';
    if (!Object.hasOwn(REFERENCES, field)) return undefined;
    return [field, typeof value === 'string' ? keyOf(REFERENCES[field]!, value) : value];
  });
}

/** The path of a fault in a body of REST as a path in the document: `groups.0.systems.1.monitorId` is `….monitor` there. */
export function documentPath(path: string): string {
  return path.replace(/(^|\.)(serviceGroup|monitor)Id(?=\.|$)/g, '$1$2');
}

function mapFields(
  fields: Fields,
  at: string,
  replace: (name: string, value: unknown, path: string) => [string, unknown] | undefined,
): Fields {
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => walk(each, `${path}.${index}`));
    return typeof value === 'object' && value !== null ? mapFields(value as Fields, path, replace) : value;
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const path = at === '' ? name : `${at}.${name}`;
      return replace(name, value, path) ?? [name, OPAQUE.has(name) ? value : walk(value, path)];
    }),
  );
}
