import type { Section } from '../../platform/documents/document-section.js';
import { type Fields, isPlain } from '../../platform/documents/fields.js';
import { NAMES_WITH_SECRETS } from '../monitors/index.js';

/** Keys and projects. */
export const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a reference names an object that the document does not have, by its id in REST. */
export function isId(reference: unknown): reference is string {
  return typeof reference === 'string' && ID.test(reference);
}

export interface Reference {
  section: Section;
  /** The field of REST that has the id, or the ids. */
  field: string;
  /** Its order means nothing: it is sorted where it is shown and compared. */
  isList: boolean;
}

/** Fields that name other objects by key. */
export const REFERENCES: Readonly<Record<string, Reference>> = {
  serviceGroup: { section: 'serviceGroups', field: 'serviceGroupId', isList: false },
  team: { section: 'teams', field: 'teamId', isList: false },
  monitor: { section: 'monitors', field: 'monitorId', isList: false },
  serviceGroups: { section: 'serviceGroups', field: 'serviceGroupIds', isList: true },
  actionGroup: { section: 'actionGroups', field: 'actionGroupId', isList: false },
  actionGroups: { section: 'actionGroups', field: 'actionGroupIds', isList: true },
  notifyActionGroups: { section: 'actionGroups', field: 'notifyActionGroupIds', isList: true },
  monitors: { section: 'monitors', field: 'monitorIds', isList: true },
  statusPages: { section: 'statusPages', field: 'statusPageIds', isList: true },
  dependsOn: { section: 'monitors', field: 'dependsOn', isList: true },
};

const NAME_OF_FIELD: ReadonlyMap<string, string> = new Map(
  Object.entries(REFERENCES).map(([name, { field }]) => [field, name]),
);

/** The field of a document that a field of REST is there, where it names other objects. */
export function referenceOf(field: string): ({ name: string } & Reference) | undefined {
  const name = NAME_OF_FIELD.get(field);
  return name === undefined ? undefined : { name, ...REFERENCES[name]! };
}

/** Some values are set as a whole, such as headers: the names in them are no fields of a document. */
export const OPAQUE = new Set(['headers', 'extract', ...NAMES_WITH_SECRETS]);

/** Replaces each reference by key with the field of REST, at any depth. */
export function withIds(fields: Fields, idOf: (section: Section, key: unknown, path: string) => unknown): Fields {
  return mapFields(fields, '', (name, value, path) => {
    if (!Object.hasOwn(REFERENCES, name)) return undefined;
    const { section, field, isList } = REFERENCES[name]!;
    if (!isList) return [field, value === null ? null : idOf(section, value, path)];
    // What is no list is a fault, which the schema of REST reports.
    return [field, Array.isArray(value) ? value.map((key, at) => idOf(section, key, `${path}.${at}`)) : value];
  });
}

/**
 * The reverse of `withIds`.
 * @param keyOf undefined for an object that is gone
 */
export function withKeys(fields: Fields, keyOf: (section: Section, id: string) => string | undefined): Fields {
  return mapFields(fields, '', (field, value) => {
    const reference = referenceOf(field);
    if (!reference) return undefined;
    const { name, section } = reference;
    if (Array.isArray(value)) {
      const keys = value.flatMap((id) => keyOf(section, id as string) ?? []);
      return [name, [...new Set(keys)].toSorted()];
    }
    return [name, typeof value === 'string' ? (keyOf(section, value) ?? null) : value];
  });
}

/** The paths of fields that are references in REST and not in documents. */
export function fieldsOfRest(fields: Fields): { path: string; name: string }[] {
  const found: { path: string; name: string }[] = [];
  mapFields(fields, '', (field, _, path) => {
    const reference = referenceOf(field);
    if (reference && reference.name !== field) found.push({ path, name: reference.name });
    return undefined;
  });
  return found;
}

/** The path of a fault in a body of REST as a path in the document: `groups.0.systems.1.monitorId` is `….monitor` there. */
export function documentPath(path: string): string {
  return path
    .split('.')
    .map((field) => NAME_OF_FIELD.get(field) ?? field)
    .join('.');
}

function mapFields(
  fields: Fields,
  at: string,
  replace: (name: string, value: unknown, path: string) => [string, unknown] | undefined,
): Fields {
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => walk(each, `${path}.${index}`));
    return isPlain(value) ? mapFields(value, path, replace) : value;
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const path = at === '' ? name : `${at}.${name}`;
      // A list among them, such as steps, has fields of its own.
      const isWhole = OPAQUE.has(name) && !Array.isArray(value);
      return replace(name, value, path) ?? [name, isWhole ? value : walk(value, path)];
    }),
  );
}
