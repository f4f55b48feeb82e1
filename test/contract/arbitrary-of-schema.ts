import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that the descriptions of bodies use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  example?: unknown;
  default?: unknown;
  [keyword: string]: unknown;
}

export type Resolve = (schema: JsonSchema) => JsonSchema;

const MOST_ITEMS = 4;
const DEEPEST = 6;

/** Texts that have a meaning in some field. They reach more of the code than random texts. */
const MEANINGFUL_TEXTS = [
  '',
  ' ',
  'me',
  'null',
  '*',
  '../..',
  'https://shop.example/',
  'PT1M',
  'P1D',
  'Europe/Dublin',
  'UTC',
  '2026-02-30',
  '09:00',
  '24:00',
  '+353871234567',
  'a@b.example',
  '🙂'.repeat(70),
  '\u202e',
  "'; DROP TABLE monitor; --",
  '%00',
  '<script>',
];

const texts = fc.oneof(
  fc.constantFrom(...MEANINGFUL_TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 300 }),
);

const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  uuid: fc.uuid({ version: 7 }),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  'date-time': fc
    .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  time: fc.tuple(fc.nat(24), fc.nat(60)).map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  duration: fc.tuple(fc.nat(100), fc.constantFrom('S', 'M', 'H')).map(([n, unit]) => `PT${n}${unit}`),
};

/** Values that match a schema. Refinements beyond the schema may still refuse them. */
export function arbitraryOf(given: JsonSchema, resolve: Resolve, depth = 0): Arbitrary<unknown> {
  const schema = resolve(given);
  const inner = (next: JsonSchema) => arbitraryOf(next, resolve, depth + 1);
  if (depth > DEEPEST) return fc.constant(null);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map(inner));
  if (schema.allOf) return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...parts) as unknown);
  const types = [schema.type ?? []].flat();
  const known = [schema.example, schema.default].filter((value) => value !== undefined);
  return fc.oneof(
    ...known.map((value) => ({ arbitrary: fc.constant(value) as Arbitrary<unknown>, weight: 2 })),
    ...(types.length === 0 ? [{ arbitrary: fc.jsonValue() as Arbitrary<unknown>, weight: 2 }] : []),
    ...types.map((type) => ({ arbitrary: ofType(type, schema, inner), weight: type === 'null' ? 1 : 4 })),
  );
}

function ofType(type: string, schema: JsonSchema, inner: (next: JsonSchema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 100_000 } = schema;
  switch (type) {
    case 'string': {
      const sized = fc.string({
        minLength: Math.min(schema.minLength ?? 0, 50),
        maxLength: Math.min(schema.maxLength ?? 50, 250),
      });
      return schema.format && FORMATS[schema.format]
        ? fc.oneof({ arbitrary: FORMATS[schema.format]!, weight: 4 }, texts)
        : fc.oneof(sized, texts);
    }
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.max(minimum, maximum)) });
    case 'number':
      return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: Math.min(schema.minItems ?? 0, MOST_ITEMS),
        maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS),
      });
    default:
      return ofObject(schema, inner);
  }
}

function ofObject(schema: JsonSchema, inner: (next: JsonSchema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, inner(field)]),
  );
  const declared = fc.record(fields, { requiredKeys: [...(schema.required ?? [])].filter((name) => name in fields) });
  const { additionalProperties: more } = schema;
  if (more === false || (more === undefined && schema.properties)) return declared;
  const names = schema.propertyNames ? inner(schema.propertyNames).map(String) : fc.string({ maxLength: 20 });
  const values = typeof more === 'object' ? inner(more) : fc.jsonValue();
  return fc
    .tuple(declared, fc.dictionary(names, values, { maxKeys: MOST_ITEMS }))
    .map(([known, others]) => ({ ...others, ...known }));
}

const ORDINARY = { enumerable: true, configurable: true, writable: true } as const;

/** The value with up to three replacements, removals or additions. */
export function broken(value: unknown): Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'add'),
    by: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      texts,
      fc.constantFrom(null, -0, 1e21, 2 ** 53, Number.MIN_VALUE, [], {}),
    ),
    name: fc.oneof(texts, fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'length')),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const box = { value: structuredClone(value) };
    for (const { at, how, by, name } of changes) {
      const places = placesIn(box);
      const [holder, key] = places[at % places.length]!;
      const target = holder[key];
      if (how === 'remove' && holder !== box) Reflect.deleteProperty(holder, key);
      else if (how === 'add' && typeof target === 'object' && target !== null && !Array.isArray(target))
        Object.defineProperty(target, name, { ...ORDINARY, value: structuredClone(by) });
      else holder[key] = structuredClone(by);
    }
    return box.value;
  });
}

type Holder = Record<string, unknown>;

function placesIn(holder: object): [Holder, string][] {
  return Object.keys(holder).flatMap((key) => {
    const value = (holder as Holder)[key];
    const place: [Holder, string] = [holder as Holder, key];
    return typeof value === 'object' && value !== null ? [place, ...placesIn(value)] : [place];
  });
}
