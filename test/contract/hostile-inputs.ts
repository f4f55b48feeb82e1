import type { JsonSchema as Schema } from './arbitrary-of-schema.js';
import { accepts, bodySchemaOf, operationOf, resolveSchema } from './described-operation.js';
import type { Subject } from './subject.js';

/** An input that no route may accept, and its refusal. */
export interface HostileInput {
  what: string;
  body?: unknown;
  /** Headers in addition to those of the example. */
  query?: string;
  headers?: Record<string, string>;
  status: number;
  error: string;
  /** Fields that the refusal must name, itself or a part of it. */
  names?: readonly string[];
}

interface Field {
  path: readonly (string | number)[];
  schema: Schema;
}

const MEBIBYTE = 1_048_576;
const DEEPEST = 3;
/** One value of each kind. Every field refuses some of them. */
const WRONG_VALUES: readonly unknown[] = [
  { surprise: [1] },
  7.5,
  true,
  'no such thing \u2028',
  [[[]]],
  null,
  -1,
  '',
  'x'.repeat(30_000),
  1e308,
];

/** Bodies that are wrong as a whole, wrong in one field, and wrong in every field at once. */
export function hostileBodies(subject: Subject, example: unknown): HostileInput[] {
  const schema = bodySchemaOf(subject);
  if (!schema) return [];
  const good = (example ?? {}) as Record<string, unknown>;
  return [...brokenTexts(subject, schema, good), ...wrongFields(schema, good)];
}

function brokenTexts(subject: Subject, schema: Schema, good: Record<string, unknown>): HostileInput[] {
  const text = JSON.stringify(good);
  const invalid = (what: string, body: unknown): HostileInput => ({ what, body, status: 400, error: 'invalid_json' });
  const refused = (what: string, body: unknown, names?: string[]): HostileInput => ({
    what,
    body,
    status: 400,
    error: 'validation_failed',
    ...(names ? { names } : {}),
  });
  const untyped = (contentType: string, body: unknown = text, more = {}): HostileInput => ({
    what: `${contentType} ${JSON.stringify(more)}`,
    body,
    headers: { 'content-type': contentType, ...more },
    status: 415,
    error: 'unsupported_media_type',
  });
  const optional = subject.route.body?.safeParse(undefined).success ?? false;
  return [
    ...(optional ? [] : [invalid('no body', undefined), invalid('an empty body', '')]),
    invalid('a body cut short', text.slice(0, -1)),
    invalid('text', 'name=x'),
    invalid('two values', `${text}${text}`),
    invalid('a trailing comma', '{"name":"x",}'),
    invalid('not a number', '{"name":NaN}'),
    invalid('a key twice', '{"surprise":1,"surprise":2}'),
    invalid('invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    invalid('UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')),
    invalid('a hundred levels', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
    invalid('a hundred thousand levels', '['.repeat(100_000)),
    ...['null', '[]', '7', '"text"', 'true', '[{}]'].map((body) => refused(body, body)),
    refused('a key __proto__', `{"__proto__":{"isAdmin":true},${text.slice(1)}`.replace(',}', '}'), ['__proto__']),
    refused('a key with NUL', `{"sur\\u0000prise":1,${text.slice(1)}`.replace(',}', '}')),
    refused('half a surrogate pair', `{"surprise":"\\ud800",${text.slice(1)}`.replace(',}', '}'), ['surprise']),
    refused('NUL deep inside', `{"surprise":[{"a":"x\\u0000y"}],${text.slice(1)}`.replace(',}', '}'), ['surprise']),
    ...(schema.properties && takesNoMore(schema)
      ? [
          refused('an unknown field', { ...good, surprise: 1, constructor: { prototype: {} } }, [
            'surprise',
            'constructor',
          ]),
          refused(
            'read-only fields',
            { ...good, id: 'x', workspaceId: 'y', created: 'z' },
            unknownOf(schema, ['id', 'workspaceId', 'created']),
          ),
        ]
      : []),
    {
      what: 'more than the largest body',
      body: JSON.stringify({ ...good, filler: 'x'.repeat(subject.route.bodyLimit ?? MEBIBYTE) }),
      status: 413,
      error: 'payload_too_large',
    },
    untyped('text/plain'),
    ...(subject.route.forms ? [] : [untyped('application/x-www-form-urlencoded', 'name=x')]),
    untyped('application/xml', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'),
    untyped('application/json; charset=utf-16'),
    untyped('application/json', text, { 'content-encoding': 'gzip' }),
  ];
}

function wrongFields(schema: Schema, good: Record<string, unknown>): HostileInput[] {
  const inputs: HostileInput[] = [];
  const everythingWrong: Record<string, unknown> = {};
  for (const { path, schema: field } of fieldsOf(schema)) {
    const wrong = WRONG_VALUES.filter((value) => !accepts(field, value));
    const name = path.join('.');
    if (path.length === 1 && wrong.length > 0) everythingWrong[name] = wrong[0];
    for (const value of wrong.slice(0, path.length === 1 ? 5 : 2)) {
      const what = `${name}: ${JSON.stringify(value).slice(0, 40)}`;
      inputs.push({ what, body: withValue(good, path, value), status: 400, error: 'validation_failed', names: [name] });
    }
    if (takesText(field)) {
      const body = JSON.stringify(withValue(good, path, 'a\u0000b'));
      inputs.push({ what: `${name}: NUL`, body, status: 400, error: 'validation_failed', names: [name] });
      inputs.push({
        what: `${name}: half a pair`,
        body: body.replace(String.raw`a\u0000b`, String.raw`a\udc00b`),
        status: 400,
        error: 'validation_failed',
        names: [name],
      });
    }
  }
  const names = Object.keys(everythingWrong);
  const base = { status: 400, error: 'validation_failed' };
  if (names.length > 1)
    inputs.push({ ...base, what: 'every field wrong, all named at once', body: everythingWrong, names });
  const required = schema.required ?? [];
  for (const name of required) {
    const { [name]: _, ...rest } = good;
    inputs.push({ ...base, what: `without ${name}`, body: rest, names: [name] });
  }
  if (required.length > 1) inputs.push({ ...base, what: 'without anything', body: {}, names: [...required] });
  return inputs;
}

/** Query strings that no route accepts, and those that the parameters of this route refuse. */
export function hostileQueries(subject: Subject): HostileInput[] {
  const refused = (what: string, query: string, names: string[]): HostileInput => ({
    what,
    query,
    status: 400,
    error: 'validation_failed',
    names,
  });
  const parameters = (operationOf(subject).parameters ?? []).filter((parameter) => parameter.in === 'query');
  const texts = [
    '',
    'nonsense',
    '-1',
    '1.5',
    '0',
    '1e3',
    'null',
    'x'.repeat(5_000),
    '2026-13-45T00:00:00Z',
    '0x10',
    '[object Object]',
    "' OR 1=1 --",
  ];
  return [
    // HTML documents accept unknown parameters, because other sites add them to links.
    ...(subject.route.query?.def.catchall ? [] : [refused('an unknown parameter', 'surprise=1', ['surprise'])]),
    refused('NUL', `${parameters[0]?.name ?? 'surprise'}=a%00b`, [parameters[0]?.name ?? 'surprise']),
    ...parameters.flatMap(({ name, schema }) => [
      ...texts
        .filter((text) => !acceptsText(resolveSchema(schema), text))
        .map((text) => refused(`${name}=${text.slice(0, 40)}`, `${name}=${encodeURIComponent(text)}`, [name])),
      ...(resolveSchema(schema).type === 'array' ? [] : [refused(`${name} twice`, `${name}=1&${name}=2`, [name])]),
    ]),
    ...(parameters.some(({ name }) => name === 'startDate')
      ? [
          refused('a time that ends before it starts', 'startDate=2026-11-20T00:00:00Z&endDate=2026-11-19T00:00:00Z', [
            'endDate',
          ]),
        ]
      : []),
    ...(parameters.length > 1
      ? [refused('all of them', parameters.map(({ name }) => `${name}=%ff%00`).join('&'), [])]
      : []),
  ];
}

/** A query value is text and is parsed into the type of its schema. */
function acceptsText(schema: Schema, text: string): boolean {
  const values = [
    text,
    ...(/^-?\d+(\.\d+)?(e\d+)?$/.test(text) ? [Number(text)] : []),
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  ];
  if (schema.type === 'integer' && !/^-?\d+$/.test(text)) return false;
  return (schema.type === 'array' ? [[text]] : values).some((value) => accepts(schema, value));
}

export function fieldsOf(schema: Schema, at: readonly (string | number)[] = []): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = [...at, name];
    const inner = resolveSchema(field);
    const item = inner.items && resolveSchema(inner.items);
    return [
      { path, schema: field },
      ...(inner.properties && path.length < DEEPEST ? fieldsOf(inner, path) : []),
      ...(item && path.length < DEEPEST ? [{ path: [...path, 0], schema: item }, ...fieldsOf(item, [...path, 0])] : []),
    ];
  });
}

export function withValue(
  good: Record<string, unknown>,
  path: readonly (string | number)[],
  value: unknown,
): Record<string, unknown> {
  const copy = structuredClone(good);
  let at: Record<string | number, unknown> = copy;
  for (const [index, step] of path.slice(0, -1).entries()) {
    const known = at[step];
    if (typeof known !== 'object' || known === null) at[step] = typeof path[index + 1] === 'number' ? [] : {};
    at = at[step] as Record<string | number, unknown>;
  }
  at[path.at(-1)!] = value;
  return copy;
}

function takesText(schema: Schema): boolean {
  return [resolveSchema(schema).type ?? []].flat().includes('string');
}

function takesNoMore(schema: Schema): boolean {
  return schema.additionalProperties === false;
}

function unknownOf(schema: Schema, names: string[]): string[] {
  return names.filter((name) => !(name in schema.properties!));
}
