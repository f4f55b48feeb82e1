import { ZodObject, ZodOptional, type ZodType } from 'zod';

/**
 * The same schema without the defaults that its description names: a change leaves what it does not name,
 * and a client that filled in defaults would set them. Objects within get an id of their own.
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
  // undefined rather than left out: a copy inherits what its own description does not name
  return field.meta({ ...field.meta(), default: undefined });
}
