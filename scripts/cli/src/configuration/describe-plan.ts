import { cleanLine } from '@watchpost/shared/clean-line';
import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import type { Terminal } from '../output/terminal.js';

type Change = ConfigPlan['changes'][number];

const MOST_OF_A_VALUE = 200;
const MARKS = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  delete: ['-', 'red'],
  orphan: ['?', 'gray'],
} as const;

/** Whether applying the plan would change something. Orphans alone are no difference. */
export function hasDifferences({ summary }: ConfigPlan): boolean {
  return summary.create + summary.update + summary.delete > 0;
}

/** A plan in lines: each object that changes, what changes of it, and the sums. */
export function describePlan(plan: ConfigPlan, paint: Terminal['paint']): string[] {
  const { changes, warnings } = plan;
  return [
    ...changes.flatMap((change) => describeChange(change, paint)),
    ...warnings.map((warning) => `warning: ${cleanLine(warning, 1_000)}`),
    `${summarize(plan, { create: 'to create', update: 'to update', delete: 'to delete' })}.`,
  ];
}

/** `2 created, 1 updated, 40 unchanged`, without what does not occur. */
export function summarize(
  { project, summary }: ConfigPlan,
  verbs: { create: string; update: string; delete: string },
): string {
  const parts = [
    [summary.create, verbs.create],
    [summary.update, verbs.update],
    [summary.delete, verbs.delete],
    [summary.orphan, summary.orphan === 1 ? 'orphan' : 'orphans'],
    [summary.unchanged, 'unchanged'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `${project}: ${named.join(', ') || 'nothing to do'}`;
}

function describeChange({ action, kind, key, fields }: Change, paint: Terminal['paint']): string[] {
  if (action === 'unchanged') return [];
  const [mark, colour] = MARKS[action];
  const name = `${kind}.${key}`;
  const note = action === 'orphan' ? ' is no longer in the document and stays; `--prune` deletes it' : '';
  const heading = paint(colour, `${mark} ${name}`) + note;
  if (action !== 'update') return [heading];
  return [heading, ...Object.entries(fields).map(([path, { from, to }]) => `    ${path}: ${show(from)} → ${show(to)}`)];
}

function show(value: unknown): string {
  return cleanLine(JSON.stringify(value) ?? 'nothing', MOST_OF_A_VALUE);
}
