import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { attachGroups } from './attach-groups.js';
import { changeTeam } from './change-team.js';
import { CollectedFaults, MissingReference } from './collected-faults.js';
import type { ConfiguredWorkspace } from './configured-objects.js';
import type { DecidedPlan, PlannedChange } from './decide-plan.js';
import type { DesiredObject, DesiredState } from './desired-objects.js';
import { replaceMask } from './fields.js';
import { fieldsInBody, KINDS } from './kinds.js';
import type { RunOperation } from './operations.js';
import { isId, type Section, withIds } from './sections.js';

interface Execution {
  workspaceId: string;
  /** As it is before. */
  workspace: ConfiguredWorkspace;
  run: RunOperation;
  desired: DesiredState;
}

/**
 * Runs the operations of a plan and enters the ids of what it creates. All of them are tried, so that every fault is found.
 * @throws Fault with the faults of all operations, by their paths in the document
 */
export async function executePlan(
  tx: Tx,
  { workspaceId, workspace, run, desired }: Execution,
  plan: DecidedPlan,
): Promise<void> {
  const ids = new Map(plan.owned.map(({ kind, key, objectId }) => [`${kind} ${key}`, objectId]));
  const idOf = (section: Section, key: unknown): string => {
    const id = ids.get(`${section} ${String(key)}`);
    if (id !== undefined) return id;
    if (isId(key)) return key;
    throw new MissingReference();
  };
  const faults = new CollectedFaults(desired);
  for (const change of plan.changes) {
    if (change.action === 'orphan' || change.action === 'unchanged') continue;
    await faults.of(change, sameField, async () => {
      if (change.action === 'delete') await run(KINDS[change.kind].deleteWith, { params: { id: change.id! } });
      else if (change.action === 'create') {
        const id = await create(run, change.desired!, idOf);
        ids.set(`${change.kind} ${change.key}`, id);
        plan.owned.push({ kind: change.kind, key: change.key, objectId: id });
        change.id = id;
      } else await update(run, change, idOf);
    });
    if (change.kind === 'teams' && change.action !== 'delete' && change.id !== null)
      await changeTeam({ workspace, run, idOf, faults }, change);
  }
  await attachGroups(tx, workspaceId, run, plan, idOf, faults);
  faults.throwIfAny();
}

const sameField = (path: string) => path;

async function create(
  run: RunOperation,
  { section, given }: DesiredObject,
  idOf: (section: Section, key: unknown) => string,
): Promise<string> {
  const kind = KINDS[section];
  const body = withIds(fieldsInBody(kind, given), idOf);
  const made = (await run(kind.createWith(given)!, { body })) as { id: string };
  return made.id;
}

async function update(
  run: RunOperation,
  { kind: section, id, fields: changes, desired }: PlannedChange,
  idOf: (section: Section, key: unknown) => string,
): Promise<void> {
  const kind = KINDS[section];
  const { fields, secrets } = desired!;
  if (Object.hasOwn(changes, 'type'))
    throw new Fault('validation_failed', 'Correct the fields named in `details`.', [
      { path: 'type', message: 'cannot be changed: give the new group another key' },
    ]);
  const names = new Set(Object.keys(changes).map((path) => path.split('.', 1)[0]!));
  if (names.has('url')) for (const name of kind.withUrl) if (Object.hasOwn(fields, name)) names.add(name);
  const changed = Object.entries(fieldsInBody(kind, fields)).filter(([name]) => names.has(name));
  if (changed.length === 0) return;
  const whole = structuredClone(Object.fromEntries(changed));
  for (const [path, value] of Object.entries(secrets)) replaceMask(whole, path, value);
  await run(kind.updateWith(fields), { params: { id: id! }, body: withIds(whole, idOf) });
}
