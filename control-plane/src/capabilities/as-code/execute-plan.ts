import { isDeepStrictEqual } from 'node:util';
import { Fault, type FaultDetail } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import { attachedGroups } from '../alerts/index.js';
import type { DecidedPlan, PlannedChange } from './decide-plan.js';
import type { DesiredObject, DesiredState } from './desired-objects.js';
import { replaceMask } from './fields.js';
import { fieldsInBody, KINDS } from './kinds.js';
import type { RunOperation } from './operations.js';
import { documentPath, isId, type Section, withIds } from './sections.js';

const MAX_FAULTS = 100;

/** A fault where the object that another one needs could not be made: the cause is reported already. */
class MissingReference extends Error {}

/**
 * Runs the operations of a plan and enters the ids of what it creates. All of them are tried, so that every fault is found.
 * @throws Fault with the faults of all operations, by their paths in the document
 */
export async function executePlan(
  tx: Tx,
  workspaceId: string,
  run: RunOperation,
  desired: DesiredState,
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
    await faults.of(change, async () => {
      if (change.action === 'delete') await run(KINDS[change.kind].deleteWith, { params: { id: change.id! } });
      else if (change.action === 'create') {
        const id = await create(run, change.desired!, idOf);
        ids.set(`${change.kind} ${change.key}`, id);
        plan.owned.push({ kind: change.kind, key: change.key, objectId: id });
        change.id = id;
      } else await update(run, change, idOf);
    });
  }
  await attach(tx, workspaceId, run, plan, idOf, faults);
  faults.throwIfAny();
}

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

/** Attaches action groups to monitors as the document names them. A new monitor has the default groups of the workspace. */
async function attach(
  tx: Tx,
  workspaceId: string,
  run: RunOperation,
  plan: DecidedPlan,
  idOf: (section: Section, key: unknown) => string,
  faults: CollectedFaults,
): Promise<void> {
  const changes = plan.changes.filter(
    ({ kind, id, action, fields, desired }) =>
      kind === 'monitors' &&
      id !== null &&
      desired?.actionGroups !== undefined &&
      (action === 'create' || Object.hasOwn(fields, 'actionGroups')),
  );
  if (changes.length === 0) return;
  const attached = await attachedGroups(tx, workspaceId);
  for (const change of changes) {
    await faults.of(change, async () => {
      const wanted = new Set(change.desired!.actionGroups!.map((key) => idOf('actionGroups', key)));
      const current = new Set(attached.get(change.id!) ?? []);
      if (isDeepStrictEqual(wanted, current)) return;
      const monitorId = change.id!;
      for (const id of wanted) if (!current.has(id)) await run('attachActionGroup', { params: { id, monitorId } });
      for (const id of current) if (!wanted.has(id)) await run('detachActionGroup', { params: { id, monitorId } });
    });
  }
}

/** The faults of several operations, by the paths of their objects. */
class CollectedFaults {
  readonly #faults: { fault: Fault; details: FaultDetail[] }[] = [];

  constructor(private readonly desired: DesiredState) {}

  /** Runs an operation for an object, and keeps its fault. @throws what is no fault */
  async of({ kind, key }: PlannedChange, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof MissingReference) return;
      if (!(error instanceof Fault)) throw error;
      const at = (path: string) => [kind, key, ...(path === '' ? [] : documentPath(path).split('.'))];
      const detail = ({ path, message, ...more }: FaultDetail): FaultDetail => {
        const place = at(path);
        return { path: place.join('.'), message: `${message}${this.desired.placeOf(place)}`, ...more };
      };
      const details = error.details.length > 0 ? error.details : [{ path: '', message: error.message }];
      this.#faults.push({ fault: error, details: details.map(detail) });
    }
  }

  throwIfAny(): void {
    const [first] = this.#faults;
    if (!first) return;
    const codes = new Set(this.#faults.map(({ fault }) => fault.code));
    const details = this.#faults.flatMap((one) => one.details).slice(0, MAX_FAULTS);
    if (codes.size === 1)
      throw new Fault(first.fault.code, first.fault.message, details, first.fault.retryAfterSeconds);
    throw new Fault('validation_failed', 'Correct the objects of the document named in `details`.', details);
  }
}
