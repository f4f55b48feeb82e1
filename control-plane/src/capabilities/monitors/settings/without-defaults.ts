import { ZodNullable, ZodObject, ZodOptional, type ZodType } from 'zod';

/**
 * The schema without defaults in its description, for changes: a field that is not named stays, but a client that fills in
 * described defaults would set it. Nested objects get ids of their own.
 */
export function withoutDefaults<Schema extends ZodObject>(object: Schema): Schema {
  const shape = Object.fromEntries(
    Object.entries(object.shape).map(([name, field]) => [name, undefaulted(field as ZodType)]),
  );
  const { id, ...meta } = object.meta() ?? {};
  const bare = object.safeExtend(shape);
  return (id === undefined ? bare : bare.meta({ ...meta, id: id.replace(/Input$/, 'Change') })) as Schema;
}

function undefaulted(field: ZodType): ZodType {
  if (field instanceof ZodOptional) return undefaulted(field.unwrap() as ZodType).optional();
  if (field instanceof ZodObject) return withoutDefaults(field);
  if (field instanceof ZodNullable && field.unwrap() instanceof ZodObject)
    return undefaulted(field.unwrap() as ZodType)
      .nullable()
      .meta({ ...field.meta() });
  // undefined instead of absent, because a copy inherits absent fields.
  return field.meta({ ...field.meta(), default: undefined });
}
