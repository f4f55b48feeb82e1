import { readSyntax } from '@watchpost/shared/assertions/syntax';
import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import {
  type DocumentSection,
  type DocumentSections,
  type Section,
  type SectionContext,
  SECTIONS,
} from '../../platform/documents/document-section.js';
import { type Fields, isPlain } from '../../platform/documents/fields.js';
import { describeIssues, issueSentence } from '../../platform/http/reading/describe-issues.js';
import { unstorableText } from '../../platform/http/reading/unstorable-text.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { type ConfigDocument, documentSchema } from './document-schema.js';
import { orderByDependency } from './order-by-dependency.js';
import { readDocument } from './read-document.js';
import { documentPath, fieldsOfRest, isId, KEY, OPAQUE, withIds, withKeys } from './sections.js';

export interface DesiredObject {
  section: Section;
  key: string;
  /** By which it is created, where the project does not manage it yet. */
  id: string;
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

const MAX_FAULTS = 100;
/** Of all sections together. */
const MAX_OBJECTS = 5_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Reads and validates a document, as REST validates the bodies that create its objects.
 * It takes turns with what else the process does.
 * @throws Fault validation_failed with every fault by its path in the document, at most 100; payload_too_large
 */
export async function readDesired(
  sections: DocumentSections,
  document: unknown,
  { ownerId, nowMs, context }: { ownerId: string; nowMs: number; context: SectionContext },
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
  const reading: Reading = { sections, context, ids: newIds(usable, nowMs), report };
  const objects: DesiredObject[] = [];
  for (const section of SECTIONS)
    for (const [key, fields] of Object.entries(usable[section])) {
      await pause();
      if (faults.length > MAX_FAULTS) throw faultOf(faults);
      const given = section === 'monitors' ? mergeDefaults(usable.defaults, fields) : fields;
      await readSyntax(given, pause);
      const object = desiredObject(reading, section, key, given);
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

/** Ids for all objects of a document, by section and key, in their order. */
function newIds(document: ConfigDocument, nowMs: number): ReadonlyMap<string, string> {
  const names = SECTIONS.flatMap((section) => Object.keys(document[section]).map((key) => `${section} ${key}`));
  const ids = names.map(() => newId(nowMs)).toSorted();
  return new Map(names.map((name, at) => [name, ids[at]!]));
}

/** The schemas of an object with these fields; undefined where its `type` has none. */
export function schemasOf(
  { schemas }: DocumentSection,
  { type }: Fields,
): DocumentSection['schemas'][number] | undefined {
  return schemas.find((one) => one.type === undefined || one.type === type);
}

interface Reading {
  sections: DocumentSections;
  context: SectionContext;
  ids: ReadonlyMap<string, string>;
  report: (path: readonly string[], message: string) => void;
}

function desiredObject(
  { sections, context, ids, report }: Reading,
  name: Section,
  key: string,
  given: Fields,
): DesiredObject | undefined {
  const section = sections[name];
  const faulty = new Set<string>();
  const fault = (path: string, message: string) => {
    // One fault of a field is enough: the schema would report another one of what is not a value at all.
    if (faulty.has(path)) return;
    faulty.add(path);
    report([name, key, ...(path === '' ? [] : path.split('.'))], message);
  };
  for (const { path, name: variable } of environmentReferences(given))
    fault(path, `names the environment variable ${variable}, which the command line resolves: send its value`);
  for (const { path, name: field } of fieldsOfRest(given)) {
    fault(path, `is not a field of a document: write \`${field}\` with a key`);
    // What the schema finds there has this name.
    faulty.add(documentPath(path));
  }
  for (const { path, message } of section.faultsOf?.(given) ?? []) fault(path, message);
  const schema = schemasOf(section, given)?.create;
  if (schema === undefined) {
    fault('type', `must be one of ${section.schemas.map(({ type }) => type).join(', ')}`);
    return undefined;
  }
  const keys = new Map<string, string>();
  const idOf = (target: Section, reference: unknown, path: string): string => {
    const id = typeof reference === 'string' ? ids.get(`${target} ${reference}`) : undefined;
    if (id === undefined && isId(reference)) return reference;
    if (id === undefined) fault(path, `is no key in \`${target}\``);
    else keys.set(id, String(reference));
    return id ?? NO_ID;
  };
  const parsed = schema.safeParse(withIds(given, idOf), { error: issueSentence, reportInput: true });
  if (!parsed.success) {
    for (const { path, message } of describeIssues(parsed.error.issues, `is not a field of \`${name}\``))
      fault(documentPath(path), message);
    return undefined;
  }
  for (const { path, message } of section.inputFaultsOf?.(parsed.data, context) ?? []) fault(path, message);
  if (faulty.size > 0) return undefined;
  const { fields, secrets } = section.configuredBy(parsed.data, context);
  const { leftAlone = '' } = section;
  const kept = Object.entries(withKeys(fields, (_, id) => keys.get(id) ?? id)).filter(
    ([field]) => field !== leftAlone || Object.hasOwn(given, field),
  );
  return { section: name, key, id: ids.get(`${name} ${key}`)!, given, fields: Object.fromEntries(kept), secrets };
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

/** The fields of an object over the defaults: objects are merged field by field, lists and other values replaced. */
export function mergeDefaults(defaults: Fields, fields: Fields): Fields {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(fields)) {
    const under = merged[name];
    merged[name] = isPlain(value) && isPlain(under) ? mergeDefaults(under, value) : value;
  }
  return merged;
}
