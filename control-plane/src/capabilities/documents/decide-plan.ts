import { isDeepStrictEqual } from 'node:util';
import type { FaultDetail } from '@watchpost/shared/fault';
import {
  type ConfiguredObject,
  type DocumentSections,
  type Section,
  SECTIONS,
} from '../../platform/documents/document-section.js';
import { type Fields, isPlain } from '../../platform/documents/fields.js';
import type { ConfiguredWorkspace } from './configured-workspace.js';
import { decideFieldChanges, type FieldChanges } from './decide-changes.js';
import { type DesiredObject, type DesiredState, faultOf } from './desired-objects.js';
import { groupBy } from '@watchpost/shared/group-by';
import { withIds, withKeys } from './sections.js';

export type Action = 'create' | 'update' | 'delete' | 'orphan' | 'unchanged';

export interface PlannedChange {
  action: Action;
  kind: Section;
  key: string;
  /** Known before it is created. */
  id: string;
  fields: FieldChanges;
  /** Undefined where the document does not have it. */
  desired: DesiredObject | undefined;
}

export interface DecidedPlan {
  /** As they are shown: what is created and changed, in the order of execution, then what is deleted or left. */
  changes: PlannedChange[];
  /** What becomes managed. */
  owned: { kind: Section; key: string; objectId: string }[];
  deletions: { kind: Section; key: string }[];
  warnings: string[];
}

/**
 * Compares a workspace with a document.
 * @param pause is awaited between objects, because there may be thousands
 * @throws Fault validation_failed where the document names by id what it would delete
 */
export async function decidePlan(
  sections: DocumentSections,
  workspace: ConfiguredWorkspace,
  desired: DesiredState,
  { prune, adopt }: { prune: boolean; adopt: boolean },
  pause: () => Promise<void>,
): Promise<DecidedPlan> {
  const own = workspace.managed.filter(({ project }) => project === desired.project);
  const idByKey = new Map(own.map(({ kind, key, objectId }) => [`${kind} ${key}`, objectId]));
  const wanted = new Set(desired.objects.map(({ section, key }) => `${section} ${key}`));
  // What has left the document has no key in it: others can name it by id.
  const keyById = new Map(
    [...idByKey].filter(([name]) => wanted.has(name)).map(([name, id]) => [id, name.slice(name.indexOf(' ') + 1)]),
  );
  const isNew = ({ section, key }: DesiredObject) => !idByKey.has(`${section} ${key}`);
  const { adopted, choices } = adopt
    ? await decideAdoptions(sections, workspace, desired.objects.filter(isNew), keyById, pause)
    : { adopted: new Map<DesiredObject, string>(), choices: [] };
  for (const [{ section, key }, id] of adopted) idByKey.set(`${section} ${key}`, id);
  const changeOf = (object: DesiredObject): PlannedChange => {
    const { section: kind, key } = object;
    const id = idByKey.get(`${kind} ${key}`);
    if (id === undefined) return { action: 'create', kind, key, id: object.id, fields: {}, desired: object };
    const fields = changesOf(sections, object, workspace.objects[kind].get(id)!, keyById);
    const action = adopted.has(object) || Object.keys(fields).length > 0 ? 'update' : 'unchanged';
    return { action, kind, key, id, fields, desired: object };
  };
  const changes: PlannedChange[] = [];
  for (const object of desired.objects) {
    await pause();
    changes.push(changeOf(object));
  }
  const left = own
    .filter(({ kind, key }) => !wanted.has(`${kind} ${key}`))
    .toSorted((a, b) => SECTIONS.indexOf(b.kind) - SECTIONS.indexOf(a.kind))
    .map(({ kind, key, objectId }): PlannedChange => {
      return { action: prune ? 'delete' : 'orphan', kind, key, id: objectId, fields: {}, desired: undefined };
    });
  if (prune) refuseNamed(left, desired);
  return {
    changes: [...changes, ...left],
    owned: changes.map(({ kind, key, id }) => ({ kind, key, objectId: id })),
    deletions: prune ? left.map(({ kind, key }) => ({ kind, key })) : [],
    warnings: [...choices, ...warningsOf(workspace, left, changes)],
  };
}

/** A group would take the monitors in it with it, and others would lose what they name. */
function refuseNamed(deleted: readonly PlannedChange[], { objects, placeOf }: DesiredState): void {
  const gone = new Map(deleted.map(({ id, kind, key }) => [id, `${kind}.${key}`]));
  const faults: FaultDetail[] = [];
  for (const { section, key, given } of objects) {
    withIds(given, (_, reference, path) => {
      const what = gone.get(reference as string);
      const whole = [section, key, ...path.split('.')];
      if (what !== undefined)
        faults.push({
          path: whole.join('.'),
          message: `names ${what}, which is no longer in the document and would be deleted: keep it there, or detach it first${placeOf(whole)}`,
        });
      return reference;
    });
  }
  if (faults.length > 0) throw faultOf(faults);
}

/**
 * Which unmanaged objects become those of the document that have the same kind and name: of several the one that differs in no
 * field, else the oldest.
 * @param keyById of the objects that the document has already; those that it takes over are added
 */
async function decideAdoptions(
  sections: DocumentSections,
  { objects, managed }: ConfiguredWorkspace,
  missing: readonly DesiredObject[],
  keyById: Map<string, string>,
  pause: () => Promise<void>,
): Promise<{ adopted: Map<DesiredObject, string>; choices: string[] }> {
  const taken = new Set(managed.map(({ objectId }) => objectId));
  const adopted = new Map<DesiredObject, string>();
  const choices: string[] = [];
  const take = (object: DesiredObject, id: string) => {
    taken.add(id);
    adopted.set(object, id);
    keyById.set(id, object.key);
  };
  const nameOf = ({ fields: { name, type } }: { fields: Fields }) => JSON.stringify([name, type]);
  for (const section of SECTIONS) {
    const byName = groupBy(objects[section].values(), nameOf);
    const candidatesFor = (object: DesiredObject) =>
      (byName.get(nameOf(object)) ?? []).filter(({ id }) => !taken.has(id));
    const ofSection = missing.filter((object) => object.section === section);
    for (const object of ofSection) {
      let same: ConfiguredObject | undefined;
      for (const one of candidatesFor(object)) {
        await pause();
        if (Object.keys(changesOf(sections, object, one, keyById)).length > 0) continue;
        same = one;
        break;
      }
      if (same) take(object, same.id);
    }
    for (const object of ofSection.filter((one) => !adopted.has(one))) {
      await pause();
      const [oldest, ...others] = candidatesFor(object);
      if (!oldest) continue;
      take(object, oldest.id);
      if (others.some((one) => !isDeepStrictEqual({ ...one, id: oldest.id }, oldest)))
        choices.push(
          `${section}.${object.key} takes over ${oldest.id}, the oldest of ${others.length + 1} unmanaged objects with the name ${JSON.stringify(object.fields['name'])}.`,
        );
    }
  }
  return { adopted, choices };
}

function changesOf(
  sections: DocumentSections,
  desired: DesiredObject,
  current: ConfiguredObject,
  keyById: ReadonlyMap<string, string>,
): FieldChanges {
  const keyOf = (id: string) => keyById.get(id) ?? id;
  const fields: Record<string, unknown> = { ...withKeys(current.fields, (_, id) => keyOf(id)) };
  for (const name of Object.keys(fields)) if (!Object.hasOwn(desired.fields, name)) delete fields[name];
  const { comparedInPart: part } = sections[desired.section];
  if (part !== undefined) fields[part] = partOf(fields[part], desired.fields[part]);
  return decideFieldChanges({ fields, secrets: current.secrets }, desired);
}

/** Of an object, the fields that another one has too. */
function partOf(current: unknown, desired: unknown): unknown {
  if (!isPlain(current) || !isPlain(desired)) return current;
  return Object.fromEntries(Object.entries(current).filter(([name]) => Object.hasOwn(desired, name)));
}

function warningsOf(
  { objects }: ConfiguredWorkspace,
  left: readonly PlannedChange[],
  changes: readonly PlannedChange[],
): string[] {
  const managed = new Set([...changes, ...left].map(({ id }) => id));
  const unmanaged = [...objects.monitors.values()].filter(({ id }) => !managed.has(id));
  const byGroup = groupBy(unmanaged, ({ fields }) => fields['serviceGroupId']);
  return left.flatMap(({ action, kind, key, id }) => {
    if (action !== 'delete' || kind !== 'serviceGroups') return [];
    const others = byGroup.get(id) ?? [];
    return others.length === 0
      ? []
      : [
          `Deleting the service group ${key} deletes ${others.length} monitors in it that the document does not manage.`,
        ];
  });
}
