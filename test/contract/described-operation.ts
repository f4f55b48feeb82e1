import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema as Schema } from './arbitrary-of-schema.js';
import { description, type Subject } from './subject.js';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: Parameter[];
}

const ajv = new Ajv2020({ strict: false, validateFormats: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addSchema(description, 'api');

export function operationOf({ route }: Subject): Operation {
  const item = description.paths?.[route.path] as Record<string, Operation> | undefined;
  return item?.[route.method] ?? {};
}

/** The schema of the JSON body in the description; undefined where there is no body. */
export function bodySchemaOf(subject: Subject): Schema | undefined {
  const schema = operationOf(subject).requestBody?.content['application/json']?.schema;
  return schema && resolveSchema(schema);
}

export function resolveSchema(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1)!;
  const { $ref: _, ...own } = schema;
  return { ...resolveSchema(description.components!.schemas![name] as Schema), ...own };
}

const validators = new WeakMap<object, ReturnType<Ajv2020['compile']>>();
export function accepts(schema: Schema, value: unknown): boolean {
  const known =
    validators.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object);
  validators.set(schema, known);
  return known(value) === true;
}
