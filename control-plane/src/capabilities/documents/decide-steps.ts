import type { PlannedChange } from './decide-plan.js';
import { withIds } from './sections.js';

/** Bounds the time in which the process serves nobody else. */
const MOST_AT_ONCE = 100;

interface Step {
  /** Of all of its changes: what is done with which kind. */
  what: string;
  created: Set<string>;
  changes: PlannedChange[];
}

/**
 * The changes of a plan in the steps in which they are executed: what is deleted before what is created and changed, which may
 * need its slug, its type in a service group or its place within the limits of the plan. Service groups are deleted last,
 * because a group takes the monitors in it with it. Several changes are one step where they follow each other, do the same with
 * the same kind, and none refers to another one that the step creates.
 */
export function decideSteps(changes: readonly PlannedChange[]): PlannedChange[][] {
  const steps: Step[] = [];
  for (const change of changes.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    if (change.action === 'orphan' || change.action === 'unchanged') continue;
    const what = `${change.action} ${change.kind}`;
    const last = steps.at(-1);
    const joins =
      last?.what === what &&
      last.changes.length < MOST_AT_ONCE &&
      !referencesOf(change).some((reference) => last.created.has(reference));
    const step = joins ? last : { what, created: new Set<string>(), changes: [] };
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

/** The objects that a change refers to: their sections and keys. */
export function referencesOf({ desired }: PlannedChange): string[] {
  const references: string[] = [];
  if (desired) withIds(desired.given, (section, key) => references.push(`${section} ${String(key)}`));
  return references;
}
