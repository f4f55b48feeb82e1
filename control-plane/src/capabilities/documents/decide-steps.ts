import type { PlannedChange } from './decide-plan.js';
import { fieldsInBody, KINDS } from './kinds.js';
import { withIds } from './sections.js';

/** Bounds the time in which the process serves nobody else. */
const MOST_AT_ONCE = 100;

interface Step {
  operationId: string;
  /** What it creates. */
  created: Set<string>;
  changes: PlannedChange[];
}

/**
 * The changes of a plan in the steps in which they are executed: what is deleted before what is created and changed, which may
 * need its slug, its type in a service group or its place within the limits of the plan. Service groups are deleted last,
 * because a group takes the monitors in it with it. Several changes are one step where they follow each other, their operation
 * can run for all of them at once, and none refers to another one that the step creates.
 */
export function decideSteps(
  changes: readonly PlannedChange[],
  hasBatches: (operationId: string) => boolean,
): PlannedChange[][] {
  const steps: Step[] = [];
  for (const change of changes.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    if (change.action === 'orphan' || change.action === 'unchanged') continue;
    const operationId = operationOf(change);
    const last = steps.at(-1);
    const joins =
      last?.operationId === operationId &&
      hasBatches(operationId) &&
      last.changes.length < MOST_AT_ONCE &&
      !referencesOf(change).some((reference) => last.created.has(reference));
    const step = joins ? last : { operationId, created: new Set<string>(), changes: [] };
    if (!joins) steps.push(step);
    step.changes.push(change);
    if (change.action === 'create') step.created.add(`${change.kind} ${change.key}`);
  }
  return steps.map((step) => step.changes);
}

function placeOf({ action, kind }: PlannedChange): number {
  if (action !== 'delete') return 1;
  return kind === 'serviceGroups' ? 2 : 0;
}

/** The operation that executes a change. */
export function operationOf({ action, kind: section, desired }: PlannedChange): string {
  const kind = KINDS[section];
  if (action === 'delete') return kind.deleteWith;
  return action === 'create' ? kind.createWith(desired!.given)! : kind.updateWith(desired!.fields);
}

function referencesOf({ kind, desired }: PlannedChange): string[] {
  const references: string[] = [];
  if (desired)
    withIds(fieldsInBody(KINDS[kind], desired.given), (section, key) => references.push(`${section} ${String(key)}`));
  return references;
}
