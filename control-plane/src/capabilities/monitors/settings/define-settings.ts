import { z } from 'zod';

/** How forms name a setting that needs no control of its own: a boolean is on or off, a text is null while it is empty. */
export const shownInForms = z.registry<{ label: string; hint?: string }>();

/**
 * The settings of one type of monitor. Each field is a schema that states its default in its `meta`, and a new field needs no
 * more: stored settings that do not have it yet get its default where they are read.
 */
export function defineSettings<Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) {
  const schema = z.strictObject(fields).meta({ id });
  const defaults = Object.entries(fields).map(([name, field]) => [name, z.globalRegistry.get(field)?.['default']]);
  return {
    /** All of them, as they are stored and answered. */
    schema,
    /** Those that a caller names. */
    input: z
      .strictObject(fields)
      .partial()
      .meta({
        id: `${id}Input`,
        description: `${description} Fields that are left out keep their value, on creation their default.`,
      }),
    defaults: schema.parse(Object.fromEntries(defaults)),
  };
}

/** The entries in the given order, without duplicates. */
export function withoutRepeats<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

/** `base` with the defined values of `over`. */
export function overlay<T extends object>(base: T, over: { [Key in keyof T]?: T[Key] | undefined } | undefined): T {
  const result = { ...base };
  for (const key of Object.keys(over ?? {}) as (keyof T)[]) {
    const value = over![key];
    if (value !== undefined) result[key] = value;
  }
  return result;
}
