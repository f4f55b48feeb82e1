import { setImmediate } from 'node:timers/promises';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z, type core, type ZodType } from 'zod';
import { scopesAllow } from '../http/scopes.js';
import { hasStructuredContent } from './protocol-versions.js';
import type { Caller } from '../identity/caller.js';
import type { Tool } from './tool.js';

type ObjectSchema = ListedTool['inputSchema'];
type JsonSchema = core.JSONSchema.BaseSchema;

/** The description of each tool in `tools/list`, by name, so that clients can cache the prompt that has them; made once, for the first list. */
export class ToolDescriptions {
  readonly #tools: readonly Tool[];
  #described: Promise<ListedTool[]> | undefined;
  /** Scopes of the tools that change something, by name. */
  readonly #writing: ReadonlyMap<string, readonly string[]>;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#writing = new Map(
      tools.flatMap(({ name, access }) =>
        access !== 'anonymous' && access.feature === 'mcpWrite' ? [[name, access.scopes]] : [],
      ),
    );
  }

  /** A client that knows no structured content gets no output schema: one that validates would miss the content in every result. @param caller without the scopes for changes gets tools that read only; undefined where nobody signed in */
  async of(version: string, caller: Pick<Caller, 'scopes'> | undefined): Promise<ListedTool[]> {
    const described = await (this.#described ??= describeInTurns(this.#tools));
    const tools = hasStructuredContent(version) ? described : described.map(({ outputSchema: _, ...rest }) => rest);
    if (!caller) return tools;
    return tools.filter(({ name }) => {
      const scopes = this.#writing.get(name);
      return scopes === undefined || scopesAllow(caller.scopes, scopes);
    });
  }
}

/** One tool in each turn of the event loop: all of them at once would hold it for as long as a request may. */
async function describeInTurns(tools: readonly Tool[]): Promise<ListedTool[]> {
  const described: ListedTool[] = [];
  for (const { name, title, description, input, output, effect } of tools) {
    await setImmediate();
    described.push({
      name,
      title,
      description,
      inputSchema: jsonSchema(input),
      outputSchema: withoutRepeats(withoutBounds(jsonSchema(output) as JsonSchema)) as ObjectSchema,
      annotations: { title, ...effect },
    });
  }
  return described;
}

/** Without the ids of the OpenAPI description: clients want a plain object, and many do not follow references. */
const withoutIds = {
  get(schema: ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
};

function jsonSchema(schema: ZodType): ObjectSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: withoutIds as unknown as typeof z.globalRegistry,
  });
  return portable(described) as ObjectSchema;
}

/** As all clients understand it: one type a schema, no empty schemas, and nothing twice. */
function portable({
  example,
  properties,
  items,
  oneOf,
  anyOf = oneOf,
  additionalProperties,
  ...rest
}: JsonSchema): JsonSchema {
  const made: JsonSchema = { ...rest };
  // The format has the same meaning in fewer words.
  if (made.format === 'uuid' || made.format === 'date-time') delete made.pattern;
  // Every whole number has these bounds: they carry no information.
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
  if (example !== undefined) made.examples = [example];
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, portable(field as JsonSchema)]);
    made.properties = Object.fromEntries(fields) as NonNullable<JsonSchema['properties']>;
  }
  if (items) made.items = portable(items as JsonSchema);
  if (anyOf)
    made.anyOf = anyOf.map((branch) => {
      const { description, ...kept } = portable(branch);
      return description === undefined || description === made.description ? kept : { description, ...kept };
    });
  if (additionalProperties !== undefined) made.additionalProperties = openOrClosed(additionalProperties);
  return Array.isArray(made.type) ? oneTypeEach(made, made.type) : made;
}

/** What a client needs for the shape of a result: its bounds, defaults and examples are of use for input only. */
function withoutBounds({ properties, items, anyOf, additionalProperties, ...schema }: JsonSchema): JsonSchema {
  const { type, const: constant, enum: values, description, required } = schema;
  const format = schema.format === 'uuid' ? undefined : schema.format;
  const kept: JsonSchema = Object.fromEntries(
    Object.entries({ type, const: constant, enum: values, format, description, required }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, withoutBounds(field as JsonSchema)]);
  if (properties) kept.properties = Object.fromEntries(fields) as NonNullable<JsonSchema['properties']>;
  if (items) kept.items = withoutBounds(items as JsonSchema);
  if (anyOf) kept.anyOf = anyOf.map((branch) => withoutBounds(branch));
  // A later version may add fields.
  if (typeof additionalProperties === 'object') kept.additionalProperties = withoutBounds(additionalProperties);
  return kept;
}

/** From this length on, what is described already is named instead. */
const LONGEST_REPEAT = 250;

/** Names what a result has in several places, such as sign-ins, where it is again. A reference would be shorter, and many clients do not follow any. */
function withoutRepeats(schema: JsonSchema, path = '', known = new Map<string, string>()): JsonSchema {
  const { description: _, ...shape } = schema;
  const text = JSON.stringify(shape);
  const first = known.get(text);
  if (first !== undefined) return shortened(schema, `Like \`${first}\`.`);
  if (text.length > LONGEST_REPEAT) known.set(text, path);
  const below = (each: unknown, name?: string) =>
    withoutRepeats(each as JsonSchema, name && path ? `${path}.${name}` : (name ?? path), known);
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, below(field, name)])),
    }),
    ...(items && { items: below(items) }),
    ...(anyOf && { anyOf: anyOf.map((branch) => below(branch)) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: below(additionalProperties) }),
  };
}

/** Only the types of a schema. */
function shortened(schema: JsonSchema, description: string): JsonSchema {
  const types = typesOf(schema);
  if (schema.type !== undefined) return { type: schema.type, description };
  return types.length === 0 ? schema : oneTypeEach({ description }, types);
}

function typesOf({ type, anyOf = [] }: JsonSchema): string[] {
  return type === undefined ? [...new Set(anyOf.flatMap(typesOf))] : [type].flat();
}

function openOrClosed(schema: NonNullable<JsonSchema['additionalProperties']>): boolean | JsonSchema {
  if (typeof schema === 'boolean') return schema;
  return Object.keys(schema).length === 0 ? true : portable(schema);
}

function oneTypeEach({ description, type: _, ...rules }: JsonSchema, types: readonly string[]): JsonSchema {
  const branches = types.map((type) => (type === 'null' ? { type } : { ...rules, type }));
  return { ...(description === undefined ? {} : { description }), anyOf: branches as JsonSchema[] };
}
