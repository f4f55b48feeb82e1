import { z } from 'zod';
import { isPlain } from '../../../platform/documents/fields.js';
import { type SecretFacts, secretSettings } from './secret-settings.js';
import { TYPE_SETTINGS, type TypeSettings } from './type-settings-schemas.js';

type Fields = Readonly<Record<string, unknown>>;
/** Settings by type, or what a caller names of them. */
export type SomeSettings = { -readonly [Field in keyof TypeSettings]?: object | undefined };

/** A part of settings whose fields can be secrets, such as the headers of one step. */
export interface SecretPlace extends SecretFacts {
  /** As faults and documents spell it: `http.steps.1.headers`. */
  path: readonly string[];
  /** Under which its secrets are sealed. Steps are in it by name, so that their secrets stay with them in another order. */
  key: string;
}

/** Each entry of a list or map. */
const EACH = '*';

interface Pattern {
  facts: SecretFacts;
  at: readonly string[];
}

function patternsIn(schema: z.core.$ZodType, at: readonly string[]): Pattern[] {
  const facts = secretSettings.get(schema as z.ZodType);
  if (facts) return [{ facts, at }];
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => patternsIn(field, [...at, name]));
  if (schema instanceof z.ZodArray) return patternsIn(schema.element, [...at, EACH]);
  if (schema instanceof z.ZodRecord) return patternsIn(schema.valueType, [...at, EACH]);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => patternsIn(option, at));
  return schema instanceof z.ZodDefault || schema instanceof z.ZodNullable ? patternsIn(schema.unwrap(), at) : [];
}

const PATTERNS = Object.entries(TYPE_SETTINGS).flatMap(([field, { schema }]) => patternsIn(schema, [field]));
/** The settings by type with secrets in them: `http`. */
export const FIELDS_WITH_SECRETS: ReadonlySet<string> = new Set(PATTERNS.map(({ at: [field] }) => field!));
/** The names of settings that hold secrets, and of lists and maps in which there are some: `headers`, `variables`. */
export const NAMES_WITH_SECRETS: ReadonlySet<string> = new Set(
  PATTERNS.flatMap(({ at }) => at.slice(1).filter((name) => name !== EACH)),
);

/** The settings with other values of the places that have secrets. What does not change is not copied. */
export function mapPlaces<Settings extends SomeSettings>(
  settings: Settings,
  change: (fields: Fields, place: SecretPlace) => Fields,
): Settings {
  let result: unknown = settings;
  for (const { facts, at } of PATTERNS)
    result = mapPlace(result, at, [], [], (fields, path, names) =>
      change(fields, { ...facts, path, key: names.join('.') }),
    );
  return result as Settings;
}

export function placesOf(settings: SomeSettings): (SecretPlace & { fields: Fields })[] {
  const places: (SecretPlace & { fields: Fields })[] = [];
  mapPlaces(settings, (fields, place) => {
    places.push({ ...place, fields });
    return fields;
  });
  return places;
}

function mapPlace(
  value: unknown,
  [name, ...rest]: readonly string[],
  path: readonly string[],
  names: readonly string[],
  change: (fields: Fields, path: readonly string[], names: readonly string[]) => Fields,
): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry: { name: string }, index) =>
      mapPlace(entry, rest, [...path, String(index)], [...names, entry.name], change),
    );
    return entries.every((entry, index) => entry === value[index]) ? value : entries;
  }
  if (!isPlain(value)) return value;
  if (name === undefined) return change(value, path, names);
  const below = name === EACH ? Object.keys(value) : Object.hasOwn(value, name) ? [name] : [];
  if (below.length === 0) return value;
  const changed = below.flatMap((each): [string, unknown][] => {
    const own = mapPlace(value[each], rest, [...path, each], [...names, each], change);
    return own === value[each] ? [] : [[each, own]];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}
