import { isDeepStrictEqual } from 'node:util';
import {
  type ConfiguredObject,
  type DocumentSection,
  type Section,
  type SectionContext,
  SECTIONS,
} from '../../platform/documents/document-section.js';
import { type Fields, isPlain, replaceMask } from '../../platform/documents/fields.js';
import { requireAccess } from '../../platform/http/require-access.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { scopesAllow } from '../../platform/http/scopes.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import type { DocumentDeps } from './apply-document.js';
import { readConfigured, readContext } from './configured-workspace.js';
import { schemasOf } from './desired-objects.js';
import { API_VERSION } from './document-schema.js';
import { OPAQUE, withKeys } from './sections.js';

/** Of an export of the whole workspace. */
const PROJECT = 'workspace';
/** Characters of a key. */
const MAX_KEY = 100;

/**
 * Writes the document that describes a workspace or one project of it. Fields with the default of REST are left out; a
 * secret is the name of an environment variable.
 * @throws Fault insufficient_scope where the caller may not read a kind of object that is there
 */
export async function exportDocument(
  { db, sections }: DocumentDeps,
  actor: Actor,
  project: string | undefined,
): Promise<Fields> {
  const { workspaceId, role } = actor.workspace;
  const [workspace, context] = await db.read(async (tx) => {
    const context = await readContext(tx, workspaceId);
    return [await readConfigured(sections, tx, workspaceId, context), context];
  });
  const managed = workspace.managed.filter((one) => project === undefined || one.project === project);
  const managedKeys = new Map(managed.map(({ objectId, key }) => [objectId, key]));
  const keys = new Map<string, string>();
  const keyOf = (section: Section, id: string) => keys.get(id) ?? (workspace.objects[section].has(id) ? id : undefined);
  const included = (name: Section): ConfiguredObject[] => {
    const { exportedTo, access, isVoid } = sections[name];
    if (exportedTo && !(roleAllows(role, exportedTo) && scopesAllow(actor.caller.scopes, access.read.scopes)))
      return [];
    return [...workspace.objects[name].values()].filter(
      ({ id, fields }) => (project === undefined || managedKeys.has(id)) && !isVoid?.(withKeys(fields, keyOf)),
    );
  };
  for (const section of SECTIONS) {
    const objects = included(section);
    if (objects.length > 0) requireAccess(actor, sections[section].access.read);
    giveKeys(objects, managedKeys, keys);
  }
  const environment = new Set<string>();
  const pause = inSlices();
  const document: Record<string, unknown> = { apiVersion: API_VERSION, project: project ?? PROJECT };
  for (const section of SECTIONS) {
    const objects: [string, Fields][] = [];
    for (const object of included(section)) {
      await pause();
      const key = keys.get(object.id)!;
      objects.push([key, fieldsOf({ context, keyOf, environment }, sections[section], object, key)]);
    }
    if (objects.length > 0) document[section] = Object.fromEntries(objects);
  }
  return document;
}

/** Gives each object of a section a key of its own: that of its project, or its name. Projects may have the same keys. */
function giveKeys(
  objects: readonly ConfiguredObject[],
  managedKeys: ReadonlyMap<string, string>,
  keys: Map<string, string>,
): void {
  const taken = new Set<string>();
  const give = (id: string, key: string) => {
    taken.add(key);
    keys.set(id, key);
  };
  for (const { id } of objects) {
    const key = managedKeys.get(id);
    if (key !== undefined && !taken.has(key)) give(id, key);
  }
  for (const { id, fields } of objects)
    if (!keys.has(id)) give(id, freeKey(managedKeys.get(id) ?? keyOfName(fields), taken));
}

function freeKey(base: string, taken: ReadonlySet<string>): string {
  let key = base;
  for (let number = 2; taken.has(key); number++) {
    const suffix = `-${number}`;
    key = `${base.slice(0, MAX_KEY - suffix.length)}${suffix}`;
  }
  return key;
}

function keyOfName({ name }: Fields): string {
  const words = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+|-+$/g, '').slice(0, MAX_KEY) || 'object';
}

interface Writing {
  context: SectionContext;
  /** The key of an object; its id where it is not in the document; undefined where it is gone. */
  keyOf(section: Section, id: string): string | undefined;
  /** Names of variables that are given already. */
  environment: Set<string>;
}

function fieldsOf(
  { context, keyOf, environment }: Writing,
  section: DocumentSection,
  { fields, secrets }: ConfiguredObject,
  key: string,
): Fields {
  const least = section.least(fields);
  const smallest = structuredClone<Record<string, unknown>>(least);
  for (const [path, secret] of Object.entries(secrets)) replaceMask(smallest, path, secret);
  const parsed = schemasOf(section, fields)!.create.safeParse(smallest);
  const defaults = parsed.success ? section.configuredBy(parsed.data, context).fields : {};
  const kept = structuredClone(withoutDefaults(fields, defaults, least));
  for (const [path, secret] of Object.entries(secrets)) {
    const env = variableName(`${key} ${path.split('.').at(-1)}`, environment);
    replaceMask(kept, path, secret === '' ? { env, allowEmpty: true } : { env });
  }
  return withKeys(kept, keyOf);
}

/** @param always fields that stay, as they are here */
function withoutDefaults(fields: Fields, defaults: Fields, always: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      const preset = defaults[name];
      if (Object.hasOwn(always, name)) return [[name, always[name]]];
      if (isDeepStrictEqual(value, preset)) return [];
      if (!isPlain(value) || !isPlain(preset) || OPAQUE.has(name)) return [[name, value]];
      return [[name, withoutDefaults(value, preset, {})]];
    }),
  );
}

function variableName(text: string, taken: Set<string>): string {
  const base = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  return name;
}
