import { z, type ZodType } from 'zod';
import { API_VERSION } from './document-schema.js';
import { type DocumentSection, type DocumentSections, SECTIONS } from '../../platform/documents/document-section.js';
import { KEY, referenceOf } from './sections.js';

type Json = Record<string, unknown>;

/** What the command line replaces with the value of an environment variable. */
const ENVIRONMENT = {
  type: 'object',
  required: ['env'],
  additionalProperties: false,
  properties: { env: { type: 'string' }, allowEmpty: { type: 'boolean' } },
};

/** The JSON Schema (2020-12) of documents, for editors: made of the schemas of the sections. */
export function documentJsonSchema(ports: DocumentSections): Json {
  const sections = SECTIONS.map((section): [string, Json] => [
    section,
    {
      type: 'object',
      propertyNames: { pattern: KEY.source },
      additionalProperties: sectionSchema(ports[section]),
    },
  ]);
  const { required: _, ...defaults } = sectionSchema(ports.monitors);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Watchpost configuration document',
    type: 'object',
    required: ['apiVersion', 'project'],
    additionalProperties: false,
    properties: {
      apiVersion: { const: API_VERSION },
      project: { type: 'string', pattern: KEY.source },
      defaults: { ...defaults, description: 'Merged into every monitor.' },
      ...Object.fromEntries(sections),
    },
  };
}

function sectionSchema({ schemas }: DocumentSection): Json {
  const types = schemas.map(({ create }) => jsonOf(create));
  return types.length === 1 ? types[0]! : { oneOf: types };
}

function jsonOf(type: ZodType): Json {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Json;
  return adapt(schema, (schema['$defs'] ?? {}) as Json) as Json;
}

/** Resolves `$ref`, makes references keys, and lets each text be the name of an environment variable. */
function adapt(schema: unknown, definitions: Json): unknown {
  if (Array.isArray(schema)) return schema.map((each) => adapt(each, definitions));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, $defs: _, $schema: _s, id: _id, ...rest } = schema as Json;
  if (typeof $ref === 'string')
    return adapt({ ...(definitions[$ref.split('/').at(-1)!] as Json), ...rest }, definitions);
  const adapted = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      if (name === 'example' || name === 'default') return [name, value];
      return [name, name === 'properties' ? adaptFields(value as Json, definitions) : adapt(value, definitions)];
    }),
  );
  return rest['type'] === 'string' && rest['enum'] === undefined ? { anyOf: [adapted, ENVIRONMENT] } : adapted;
}

function adaptFields(properties: Json, definitions: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([field, type]) => {
      const reference = referenceOf(field);
      if (!reference) return [field, adapt(type, definitions)];
      const { name, section, isList } = reference;
      const description = `${isList ? 'Keys' : 'A key'} in \`${section}\`, or the id of what the document does not have.`;
      return isList
        ? [name, { type: 'array', items: { type: 'string' }, description }]
        : [name, { type: ['string', 'null'], description }];
    }),
  );
}
