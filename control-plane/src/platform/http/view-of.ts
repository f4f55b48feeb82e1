import type { output, ZodObject } from 'zod';

/** A view as code has it before: its moments may be dates. */
type Stored<View> = { [Field in keyof View]: View[Field] | (string extends View[Field] ? Date : never) };

/** The fields of a view out of a row that has them and more, moments as text. */
export function viewOf<Schema extends ZodObject>(schema: Schema, row: Stored<output<Schema>>): output<Schema> {
  const fields = row as Readonly<Record<string, unknown>>;
  const names = Object.keys(schema.shape).filter((name) => name in fields);
  return Object.fromEntries(
    names.map((name) => [name, fields[name] instanceof Date ? fields[name].toISOString() : fields[name]]),
  ) as output<Schema>;
}
