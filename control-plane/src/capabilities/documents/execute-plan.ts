import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { attachGroups } from './attach-groups.js';
import { changeTeam } from './change-team.js';
import { decideSteps, operationOf } from './decide-steps.js';
import { CollectedFaults, MissingReference } from './collected-faults.js';
import type { ConfiguredWorkspace } from './configured-objects.js';
import type { DecidedPlan, PlannedChange } from './decide-plan.js';
import type { DesiredState } from './desired-objects.js';
import { type Fields, replaceMask } from './fields.js';
import { fieldsInBody, KINDS } from './kinds.js';
import type { OperationInput, RunOperation, RunOperationForAll } from './operations.js';
import { isId, type Section, withIds } from './sections.js';

interface Execution {
  workspaceId: string;
  /** As it is before. */
  workspace: ConfiguredWorkspace;
  run: RunOperation;
  runForAll: RunOperationForAll;
  /** Whether an operation can run for several inputs at once. */
  hasBatches(operationId: string): boolean;
  desired: DesiredState;
}

/**
 * Runs the operations of a plan and enters the ids of what it creates. All of them are tried, so that every fault is found, up to
 * 100 of them.
 * @throws Fault with the faults of all operations, by their paths in the document
 */
export async function executePlan(
  tx: Tx,
  { workspaceId, workspace, run, runForAll, hasBatches, desired }: Execution,
  plan: DecidedPlan,
): Promise<void> {
  const ids = new Map(plan.owned.map(({ kind, key, objectId }) => [`${kind} ${key}`, objectId]));
  const idOf: IdOf = (section, key) => {
    const id = ids.get(`${section} ${String(key)}`);
    if (id !== undefined) return id;
    if (isId(key)) return key;
    throw new MissingReference();
  };
  const done = (change: PlannedChange, answer: unknown) => {
    if (change.action !== 'create') return;
    const { id } = answer as { id: string };
    ids.set(`${change.kind} ${change.key}`, id);
    plan.owned.push({ kind: change.kind, key: change.key, objectId: id });
    change.id = id;
  };
  const faults = new CollectedFaults(desired);
  /** @returns whether all were executed; none was where one of them has a fault */
  const executeAtOnce = async (changes: readonly PlannedChange[]): Promise<boolean> => {
    try {
      const inputs = changes.flatMap((change) => {
        const input = inputOf(change, idOf);
        return input ? [{ change, input }] : [];
      });
      if (inputs.length === 0) return true;
      const answers = await runForAll(
        operationOf(changes[0]!),
        inputs.map(({ input }) => input),
      );
      for (const [at, { change }] of inputs.entries()) done(change, answers[at]);
      return true;
    } catch (error) {
      if (error instanceof Fault || error instanceof MissingReference) return false;
      throw error;
    }
  };
  /** Divides changes that have a fault until each fault is found. */
  const execute = async (changes: readonly PlannedChange[]): Promise<void> => {
    const [change] = changes;
    if (faults.isFull) return;
    if (changes.length > 1) {
      if (await executeAtOnce(changes)) return;
      const half = Math.ceil(changes.length / 2);
      await execute(changes.slice(0, half));
      await execute(changes.slice(half));
    } else if (change)
      await faults.of(change, sameField, async () => {
        const input = inputOf(change, idOf);
        if (input) done(change, await run(operationOf(change), input));
      });
  };
  for (const changes of decideSteps(plan.changes, hasBatches)) {
    await execute(changes);
    for (const change of changes)
      if (change.kind === 'teams' && change.action !== 'delete' && change.id !== null)
        await changeTeam({ workspace, run, idOf, faults }, change);
  }
  await attachGroups(tx, workspaceId, run, plan, idOf, faults);
  faults.throwIfAny();
}

const sameField = (path: string) => path;

type IdOf = (section: Section, key: unknown) => string;

/** @returns the input of the operation of a change; undefined where only fields change that other operations set */
function inputOf(change: PlannedChange, idOf: IdOf): OperationInput | undefined {
  const { action, kind, id, desired } = change;
  if (action === 'create') return { body: withIds(fieldsInBody(KINDS[kind], desired!.given), idOf) };
  const params = { id: id! };
  if (action === 'delete') return { params };
  const body = changedBody(change);
  return body && { params, body: withIds(body, idOf) };
}

function changedBody({ kind: section, fields: changes, desired }: PlannedChange): Fields | undefined {
  const kind = KINDS[section];
  const { fields, secrets } = desired!;
  if (Object.hasOwn(changes, 'type'))
    throw new Fault('validation_failed', 'Correct the fields named in `details`.', [
      { path: 'type', message: 'cannot be changed: give the new group another key' },
    ]);
  const names = new Set(Object.keys(changes).map((path) => path.split('.', 1)[0]!));
  if (names.has('url')) for (const name of kind.withUrl) if (Object.hasOwn(fields, name)) names.add(name);
  const changed = Object.entries(fieldsInBody(kind, fields)).filter(([name]) => names.has(name));
  if (changed.length === 0) return undefined;
  const whole = structuredClone(Object.fromEntries(changed));
  for (const [path, value] of Object.entries(secrets)) replaceMask(whole, path, value);
  return whole;
}
