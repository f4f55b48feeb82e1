import { isDeepStrictEqual } from 'node:util';
import { readTimeZone } from '../workspaces/index.js';
import { scopesAllow } from '../../platform/http/scopes.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import { channelOf, kindOf } from '../channels/index.js';
import type { ConfiguredObject } from '../monitors/index.js';
import { type ConfiguredDeps, readConfigured } from './configured-objects.js';
import { API_VERSION } from './document-schema.js';
import { type Fields, isPlain, replaceMask } from './fields.js';
import { bodySchema, fieldsInBody, KINDS } from './kinds.js';
import { type Operations, requireAllowed } from './operations.js';
import type { People } from './people.js';
import { SECTIONS, type Section, withKeys } from './sections.js';

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
  deps: ConfiguredDeps & { operations: Operations },
  actor: Actor,
  project: string | undefined,
): Promise<Fields> {
  const [workspace, workspaceZone] = await deps.db.read(async (tx) => [
    await readConfigured(deps, tx, actor),
    await readTimeZone(tx, actor.workspace.workspaceId),
  ]);
  const { operations } = deps;
  const { people } = workspace;
  const managed = workspace.managed.filter((one) => project === undefined || one.project === project);
  const managedKeys = new Map(managed.map(({ objectId, key }) => [objectId, key]));
  const keys = new Map<string, string>();
  // Who may not apply teams has a document without them, as before there were teams.
  const { scopes } = actor.caller;
  const mayHaveTeams = roleAllows(actor.workspace.role, 'Admin') && scopesAllow(scopes, ['account.read']);
  const keyOf = (section: Section, id: string) => keys.get(id) ?? (workspace.objects[section].has(id) ? id : undefined);
  const included = (section: Section): ConfiguredObject[] =>
    [...(section === 'teams' && !mayHaveTeams ? [] : workspace.objects[section].values())].filter(
      ({ id, fields }) => (project === undefined || managedKeys.has(id)) && !coversNothing(fields, keyOf),
    );
  for (const section of SECTIONS) {
    const objects = included(section);
    if (objects.length > 0) requireAllowed(deps.operations, KINDS[section].listWith, actor);
    giveKeys(objects, managedKeys, keys);
  }
  const environment = new Set<string>();
  const sections = SECTIONS.flatMap((section): [string, Fields][] => {
    const objects = included(section).map((object): [string, Fields] => {
      const key = keys.get(object.id)!;
      return [key, fieldsOf({ operations, workspaceZone, people, keyOf, environment }, section, object, key)];
    });
    return objects.length === 0 ? [] : [[section, Object.fromEntries(objects)]];
  });
  return { apiVersion: API_VERSION, project: project ?? PROJECT, ...Object.fromEntries(sections) };
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
  operations: Operations;
  workspaceZone: string;
  people: People;
  /** The key of an object; its id where it is not in the document; undefined where it is gone. */
  keyOf(section: Section, id: string): string | undefined;
  /** Names of variables that are given already. */
  environment: Set<string>;
}

function fieldsOf(
  { operations, workspaceZone, people, keyOf, environment }: Writing,
  section: Section,
  { fields, secrets }: ConfiguredObject,
  key: string,
): Fields {
  const kind = KINDS[section];
  const least = leastBody(section, fields);
  const parsed = bodySchema(operations, kind.createWith(fields)!).safeParse(fieldsInBody(kind, least));
  const outside = kind.outside?.schema.parse({});
  const defaults = parsed.success
    ? kind.configuredBy({ body: parsed.data, outside, given: fields, workspaceZone, people }).fields
    : {};
  const kept = structuredClone(
    withoutDefaults(fields, defaults, section === 'actionGroups' ? { type: fields['type'], ...least } : least),
  );
  for (const [path, secret] of Object.entries(secrets)) {
    const env = variableName(`${key} ${path.split('.').at(-1)}`, environment);
    replaceMask(kept, path, secret === '' ? { env, allowEmpty: true } : { env });
  }
  return withKeys(kept, keyOf);
}

/** Whether all that a maintenance window covered is gone, so that it could not be created. */
function coversNothing({ scope }: Fields, keyOf: Writing['keyOf']): boolean {
  return isPlain(scope) && Object.keys(withoutEmpty(withKeys(scope, keyOf))).length === 0;
}

/** The body with which an object of these fields could be created, and nothing else. */
function leastBody(section: Section, fields: Fields): Fields {
  const { name, url, slug, type, monitorTypes, heartbeat } = fields;
  const { startsAt, timezone, duration, scope } = fields;
  switch (section) {
    case 'serviceGroups':
      return { name };
    case 'monitors':
      return isPlain(heartbeat) ? { name, monitorTypes, heartbeat: withoutNulls(heartbeat) } : { name, url };
    case 'statusPages':
      return { name, slug };
    case 'maintenanceWindows':
      // Another workspace may have another time zone.
      return { name, startsAt, timezone, duration, scope: withoutEmpty(scope as Fields) };
    case 'teams':
      return leastTeam(fields);
    case 'actionGroups':
      return { name, ...Object.fromEntries(neededFields(type as string).map((field) => [field, fields[field]])) };
  }
}

/** The fields without which no group of a channel is created; secrets are names of variables anyway. */
function neededFields(type: string): string[] {
  const needed = channelOf(type).fields.filter((field) => field.isRequired !== false && !kindOf(field).isSecret);
  return needed.map(({ name }) => name);
}

/** With the members and the rotation of a team, which have no defaults but in their parts. */
function leastTeam({ name, members, schedule }: Fields): Fields {
  const people = (members as { email: string; teamRole: string }[]).map(({ email, teamRole }) =>
    teamRole === 'member' ? { email } : { email, teamRole },
  );
  return {
    name,
    ...(people.length > 0 ? { members: people } : {}),
    ...(isPlain(schedule) ? { schedule: withoutNulls(schedule) } : {}),
  };
}

/** @param always fields that stay, as they are here */
function withoutDefaults(fields: Fields, defaults: Fields, always: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      const preset = defaults[name];
      if (Object.hasOwn(always, name)) return [[name, always[name]]];
      if (isDeepStrictEqual(value, preset)) return [];
      if (!isPlain(value) || !isPlain(preset) || name === 'headers') return [[name, value]];
      return [[name, withoutDefaults(value, preset, {})]];
    }),
  );
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== false && !(Array.isArray(value) && value.length === 0)),
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
