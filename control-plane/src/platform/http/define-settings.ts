import { formatDuration } from '@watchpost/shared/duration';
import { z } from 'zod';
import { isoDuration } from './schemas.js';

/**
 * Has the words of forms for a setting that needs no control of its own: a boolean is on or off, one of several values is chosen by its
 * label, a text is null while it is empty, headers are rows, and of a union one variant is chosen by its label (`choices`) and filled in.
 */
export const shownInForms = z.registry<{
  label: string;
  hint?: string;
  choices?: Readonly<Record<string, string>>;
  /** The labels of the fields of a union. */
  fields?: Readonly<Record<string, string>>;
}>();

/** A duration is text to callers, and in ms in all code: `checkInterval` is `checkIntervalMs` there. */
type IsDuration<Field> =
  z.input<Field> extends string | null ? (z.output<Field> extends number | null ? true : false) : false;

/** Settings by the names that code has for them. */
export type SettingsOf<Fields extends z.ZodRawShape> = {
  [Name in keyof Fields & string as IsDuration<Fields[Name]> extends true ? `${Name}Ms` : Name]: z.output<Fields[Name]>;
};

type AnswerField<Field> =
  IsDuration<Field> extends true ? z.ZodType<string | Extract<z.output<Field>, null>> : Extract<Field, z.ZodType>;
type AnswerFields<Fields extends z.ZodRawShape> = { [Name in keyof Fields]: AnswerField<Fields[Name]> };

type AnsweredOf<Fields extends z.ZodRawShape> = z.output<z.ZodObject<AnswerFields<Fields>>>;

/**
 * Settings that belong together. Each field is a schema that states its default in its `meta`, and a new field needs no
 * more: stored settings that do not have it yet get its default where they are read.
 */
export function defineSettings<Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) {
  const named = Object.entries(fields).map(([name, schema]) => {
    const isDuration = z.globalRegistry.get(unwrapped(schema))?.['format'] === 'duration';
    return { name, schema: schema as z.ZodType, isDuration, property: isDuration ? `${name}Ms` : name };
  });
  const answers = named.map(({ name, schema, isDuration }) => [name, isDuration ? durationAnswer(schema) : schema]);
  const defaults = named.flatMap(({ property, schema }) => {
    const standard = z.globalRegistry.get(schema)?.['default'];
    return standard === undefined ? [] : [[property, schema.parse(standard)]];
  });
  return {
    fields,
    schema: z.strictObject(Object.fromEntries(answers) as AnswerFields<Fields>).meta({ id }),
    /** Those that a caller names. */
    input: z
      .strictObject(fields)
      .partial()
      .meta({
        id: `${id}Input`,
        description: `${description} Fields that are left out keep their value, on creation their default.`,
      }),
    defaults: Object.fromEntries(defaults) as SettingsOf<Fields>,
    describe(settings: SettingsOf<Fields>): AnsweredOf<Fields> {
      const values = settings as Readonly<Record<string, unknown>>;
      const answered = named.map(({ name, property, isDuration }) => {
        const value = values[property];
        return [name, isDuration && value !== null ? formatDuration(value as number) : value];
      });
      return Object.fromEntries(answered) as AnsweredOf<Fields>;
    },
    /** Those that a caller names, by the names that code has for them. */
    named(input: object): Partial<SettingsOf<Fields>> {
      const values = input as Readonly<Record<string, unknown>>;
      const given = named.filter(({ name }) => values[name] !== undefined);
      return Object.fromEntries(given.map(({ name, property }) => [property, values[name]])) as Partial<
        SettingsOf<Fields>
      >;
    },
  };
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;
}

function durationAnswer(schema: z.ZodType): z.ZodType {
  const { default: _, ...meta } = schema.meta() ?? {};
  return (schema instanceof z.ZodNullable ? isoDuration.nullable() : isoDuration).meta(meta);
}

/** Fields of an answer without description: they are described where they are given. */
export function undescribed<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  const fields = Object.entries(shape) as [string, z.ZodType][];
  // undefined instead of absent, because a copy inherits absent fields.
  const bare = fields.map(([name, field]) => [name, field.meta({ description: undefined, default: undefined })]);
  return Object.fromEntries(bare) as Shape;
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
