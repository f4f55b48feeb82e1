import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '@watchpost/control-plane/platform/http/openapi/openapi-document';
import type { ApiResponse } from './product.js';

interface Declared {
  content?: Readonly<Record<string, { schema?: object }>>;
  headers?: Readonly<Record<string, unknown>>;
}
type Operation = { responses: Readonly<Record<string, Declared>> };

interface Template {
  pattern: RegExp;
  path: string;
  /** The number of segments that are parameters. The path with fewer of them matches first, as in the server. */
  parameters: number;
  operations: Readonly<Record<string, Operation>>;
}

/** Headers that every answer must have where the description declares them. */
const PROMISED_HEADERS = [
  'X-Total-Count',
  'Link',
  'ETag',
  'Location',
  'WWW-Authenticate',
  'Retry-After',
  'X-Request-Id',
];

/**
 * Compares answers with the OpenAPI description: the status and the content type are declared, the promised headers are
 * present, and the body matches the JSON Schema.
 * @returns the fault as a sentence; undefined if there is none or the description does not contain the path
 */
export function createAnswerCheck(
  document: OpenApiDocument,
): (method: string, path: string, answer: ApiResponse) => string | undefined {
  // Most validators run a few times only: making all of them takes a third of the processor time this way.
  const frugal = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, ...frugal });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'api');
  const validators = new Map<string, ValidateFunction>();
  const templates = Object.entries(document.paths ?? {}).map(([path, operations]) =>
    templateOf(path, operations as Template['operations']),
  );

  /** A component that many answers share, such as that of errors, is compiled once. */
  function validatorOf(schema: { $ref?: string }, pointer: string[]): ValidateFunction {
    const ref =
      schema.$ref === undefined
        ? `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
        : `api${schema.$ref}`;
    const known = validators.get(ref) ?? ajv.compile({ $ref: ref });
    validators.set(ref, known);
    return known;
  }

  return (method, target, answer) => {
    const path = target.split('?', 1)[0]!;
    const template = templates
      .filter(({ pattern, operations }) => pattern.test(path) && operations[method.toLowerCase()])
      .toSorted((a, b) => a.parameters - b.parameters)[0];
    if (!template) return undefined;
    const operation = template.operations[method.toLowerCase()]!;
    const declared = operation.responses[String(answer.status)];
    if (!declared) return `the status ${answer.status} is not in the description of ${method} ${template.path}`;
    for (const name of PROMISED_HEADERS) {
      if (declared.headers?.[name] && !answer.headers.has(name)) return `the header ${name} is described and not there`;
    }
    if (!declared.content) return answer.body === '' ? undefined : 'has a body, and none is described';
    const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? 'none';
    const media = declared.content[type];
    if (!media) return `the content type ${type} is not described`;
    if (!media.schema || type !== 'application/json') return undefined;
    const validate = validatorOf(media.schema, [
      'paths',
      template.path,
      method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      type,
      'schema',
    ]);
    return validate(answer.body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
  };
}

function templateOf(path: string, operations: Template['operations']): Template {
  const pattern = path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+');
  return { path, operations, pattern: new RegExp(`^${pattern}$`), parameters: path.split('{').length - 1 };
}
