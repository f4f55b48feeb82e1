import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z, type ZodType } from 'zod';
import { hasStructuredContent } from './protocol-versions.js';
import type { Tool } from './tool.js';

type ObjectSchema = ListedTool['inputSchema'];

/** What `tools/list` says of each tool; made once. */
export class ToolDescriptions {
  readonly #full: ListedTool[];
  readonly #withoutOutput: ListedTool[];

  constructor(tools: readonly Tool[]) {
    this.#full = tools.map(({ name, title, description, input, output, effect }) => ({
      name,
      title,
      description,
      inputSchema: jsonSchema(input),
      outputSchema: jsonSchema(output),
      annotations: { title, ...effect },
    }));
    this.#withoutOutput = this.#full.map(({ outputSchema: _, ...rest }) => rest);
  }

  /** A client that knows no structured content is told of none: one that validates would miss it in every result. */
  of(version: string): ListedTool[] {
    return hasStructuredContent(version) ? this.#full : this.#withoutOutput;
  }
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
    override({ jsonSchema: made }) {
      // The format says the same in fewer words.
      if (made.format === 'uuid' || made.format === 'date-time') delete made.pattern;
      // Every whole number has these bounds: they say nothing.
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
      if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
      if (made['example'] === undefined) return;
      made.examples = [made['example']];
      delete made['example'];
    },
  });
  return described as ObjectSchema;
}
