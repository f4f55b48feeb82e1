import { createHash } from 'node:crypto';
import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import type { ZodType } from 'zod';
import { describeIssues, issueSentence } from '../../platform/http/reading/describe-issues.js';
import { unstorableText } from '../../platform/http/reading/unstorable-text.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { ACTION_GROUP_TYPES } from '../channels/index.js';
import { type ConfigDocument, documentSchema } from './document-schema.js';
import { type Fields, isPlain } from './fields.js';
import { bodySchema, fieldsInBody, fieldsOutsideBody, KINDS } from './kinds.js';
import { mergeDefaults } from './merge-defaults.js';
import type { Operations } from './operations.js';
import { orderByDependency } from './order-by-dependency.js';
import type { People } from './people.js';
import { readDocument } from './read-document.js';
import {
  documentPath,
  fieldsOfRest,
  isId,
  KEY,
  OPAQUE,
  SECTIONS,
  type Section,
  withIds,
  withKeys,
} from './sections.js';

/** An object as a document wants it. */
export interface DesiredObject {
  section: Section;
  key: string;
  /** As the document has it, over the defaults. */
  given: Fields;
  /** With everything that the document leaves out, references by key, secrets as `***`. */
  fields: Fields;
  /** By their path in the fields. */
  secrets: Readonly<Record<string, string>>;
}

export interface DesiredState {
  project: string;
  /** In the order in which they can be created. */
  objects: readonly DesiredObject[];
  /** Where a field is in the text of the document. */
  placeOf(path: readonly string[]): string;
}

/** A setting of operation rather than of configuration: left alone unless the document has it. */
const LEFT_ALONE = 'monitoringStatus';
const MAX_FAULTS = 100;
/** Of all sections together. */
const MAX_OBJECTS = 5_000;

/**
 * Reads and validates a document, as REST validates the bodies that create its objects.
 * It takes turns with what else the process does.
 * @throws Fault validation_failed with every fault by its path in the document, at most 100; payload_too_large
 */
export async function readDesired(
  operations: Operations,
  document: unknown,
  { ownerId, workspaceZone, people }: { ownerId: string; workspaceZone: string; people: People },
): Promise<DesiredState> {
  const { value, placeOf } = await readDocument(document, ownerId);
  requireBoundedSize(value);
  const pause = inSlices();
  const faults: FaultDetail[] = unstorableText(value);
  const report = (path: readonly string[], message: string) =>
    faults.push({ path: path.join('.'), message: `${message}${placeOf(path)}` });
  const frame = documentSchema.safeParse(value, { error: issueSentence, reportInput: true });
  if (!frame.success)
    for (const { path, message } of describeIssues(frame.error.issues, 'is not a field of a document'))
      report(path.split('.'), message);
  const usable = frame.success ? frame.data : usableParts(value);
  const reading: Reading = { operations, workspaceZone, people, document: usable, report };
  const objects: DesiredObject[] = [];
  for (const section of SECTIONS)
    for (const [key, fields] of Object.entries(usable[section])) {
      await pause();
      if (faults.length > MAX_FAULTS) throw faultOf(faults);
      const object = desiredObject(reading, section, key, fields);
      if (object) objects.push(object);
    }
  const { ordered, circles } = orderByDependency(objects);
  for (const { path, message } of circles) report(path, message);
  if (faults.length > 0) throw faultOf(faults);
  return { project: usable.project, objects: ordered, placeOf };
}

/** A refusal that names the faults of a document by their paths in it. */
export function faultOf(faults: readonly FaultDetail[]): Fault {
  const more = faults.length > MAX_FAULTS ? ' It has more faults than these.' : '';
  return new Fault(
    'validation_failed',
    `Correct the fields of the document named in \`details\`.${more}`,
    faults.slice(0, MAX_FAULTS),
  );
}

function requireBoundedSize(value: unknown): void {
  if (!isPlain(value)) return;
  const sections = SECTIONS.map((section) => value[section]).filter(isPlain);
  const count = sections.reduce((sum, section) => sum + Object.keys(section).length, 0);
  if (count <= MAX_OBJECTS) return;
  const message = `has ${count} objects: a document has at most ${MAX_OBJECTS}`;
  throw new Fault('validation_failed', 'Divide the document into several projects.', [{ path: 'document', message }]);
}

/** What can be validated of a document whose frame has faults. */
function usableParts(value: unknown): ConfigDocument {
  const partsOf = (field: string): Fields => (isPlain(value) && isPlain(value[field]) ? value[field] : {});
  const sections = SECTIONS.map((section) => {
    const objects = Object.entries(partsOf(section)).filter(([key, fields]) => KEY.test(key) && isPlain(fields));
    return [section, Object.fromEntries(objects)];
  });
  return { defaults: partsOf('defaults'), ...Object.fromEntries(sections) } as ConfigDocument;
}

interface Reading {
  operations: Operations;
  workspaceZone: string;
  people: People;
  document: ConfigDocument;
  report: (path: readonly string[], message: string) => void;
}

function desiredObject(
  { operations, workspaceZone, people, document, report }: Reading,
  section: Section,
  key: string,
  fields: Fields,
): DesiredObject | undefined {
  const given = section === 'monitors' ? mergeDefaults(document.defaults, fields) : fields;
  const kind = KINDS[section];
  const faulty = new Set<string>();
  const fault = (path: string, message: string) => {
    // One fault of a field is enough: the schema would report another one of what is not a value at all.
    if (faulty.has(path)) return;
    faulty.add(path);
    report([section, key, ...(path === '' ? [] : path.split('.'))], message);
  };
  for (const { path, name } of environmentReferences(given))
    fault(path, `names the environment variable ${name}, which the command line resolves: send its value`);
  for (const { path, name } of fieldsOfRest(given)) {
    fault(path, `is not a field of a document: write \`${name}\` with a key`);
    // What the schema finds there has this name.
    faulty.add(documentPath(path));
  }
  for (const { path, message } of kind.faultsOf?.(given) ?? []) fault(path, message);
  const create = kind.createWith(given);
  if (create === undefined) {
    fault('type', `must be one of ${ACTION_GROUP_TYPES.join(', ')}`);
    return undefined;
  }
  const keys = new Map<string, string>();
  const idOf = (target: Section, name: unknown, path: string): string => {
    const isKey = typeof name === 'string' && Object.hasOwn(document[target], name);
    if (!isKey && isId(name)) return name;
    if (!isKey) fault(path, `is no key in \`${target}\``);
    // The same for the same key: lists of REST have each id once.
    const id = placeholder(`${target} ${String(name)}`);
    keys.set(id, String(name));
    return id;
  };
  const body = withIds(fieldsInBody(kind, given), idOf);
  const outside = withIds(fieldsOutsideBody(kind, given), idOf);
  const parse = (schema: ZodType, value: unknown): unknown => {
    const parsed = schema.safeParse(value, { error: issueSentence, reportInput: true });
    if (parsed.success) return parsed.data;
    for (const { path, message } of describeIssues(parsed.error.issues, `is not a field of \`${section}\``))
      fault(documentPath(path), message);
    return undefined;
  };
  const parsedBody = parse(bodySchema(operations, create), body);
  const parsedOutside = kind.outside && parse(kind.outside.schema, outside);
  if (parsedOutside !== undefined)
    for (const { path, message } of kind.outside?.faultsOf?.(parsedOutside, people) ?? []) fault(path, message);
  if (faulty.size > 0) return undefined;
  const input = { body: parsedBody, outside: parsedOutside, given, workspaceZone, people };
  const { fields: configured, secrets } = kind.configuredBy(input);
  const whole = { ...withKeys(configured, (_, id) => keys.get(id) ?? id) };
  if (section === 'monitors' && !Object.hasOwn(given, LEFT_ALONE))
    delete (whole as Record<string, unknown>)[LEFT_ALONE];
  return { section, key, given, fields: whole, secrets };
}

/** An id for a name, which no object has. */
function placeholder(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/** Every `{ env: NAME }`, also with `allowEmpty`, in the fields of an object. */
function environmentReferences(fields: Fields, at = ''): { path: string; name: string }[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const path = at === '' ? field : `${at}.${field}`;
    if (typeof value !== 'object' || value === null) return [];
    const { env, allowEmpty: _, ...others } = value as { env?: unknown; allowEmpty?: unknown };
    if (typeof env === 'string' && Object.keys(others).length === 0 && !OPAQUE.has(field)) return [{ path, name: env }];
    return environmentReferences(value as Fields, path);
  });
}
