import { invalidFields } from '@watchpost/shared/fault';
import type { OneTransaction } from '../../platform/db/one-transaction.js';
import type {
  DocumentSection,
  DocumentSections,
  Section,
  SectionChange,
  SectionContext,
  SectionRun,
} from '../../platform/documents/document-section.js';
import { type Fields, replaceMask } from '../../platform/documents/fields.js';
import { describeIssues, issueSentence } from '../../platform/http/reading/describe-issues.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { requireAccess } from '../../platform/http/require-access.js';
import type { Actor } from '../../platform/identity/caller.js';
import { CollectedFaults } from './collected-faults.js';
import type { ConfiguredWorkspace } from './configured-workspace.js';
import type { DecidedPlan, PlannedChange } from './decide-plan.js';
import { decideSteps, referencesOf } from './decide-steps.js';
import { type DesiredState, schemasOf } from './desired-objects.js';
import { withIds } from './sections.js';

interface Execution {
  sections: DocumentSections;
  actor: Actor;
  context: SectionContext;
  /** As it is before. */
  workspace: ConfiguredWorkspace;
  desired: DesiredState;
}

/**
 * Executes a plan, each change by its section. All of them are tried, so that every fault is found, up to 100 of them.
 * @throws Fault with the faults of all changes, by their paths in the document
 */
export async function executePlan(
  db: OneTransaction,
  { sections, actor, context, workspace, desired }: Execution,
  plan: DecidedPlan,
): Promise<void> {
  const ids = new Map(plan.owned.map(({ kind, key, objectId }) => [`${kind} ${key}`, objectId]));
  const idOf: IdOf = (section, key) => ids.get(`${section} ${String(key)}`) ?? key;
  // A condition of the request is about the document, and never about one of its objects.
  const unconditional = { ...actor, checkPrecondition: undefined };
  const faults = new CollectedFaults(desired);
  /** What could not be created. The cause is reported, and nothing that follows from it. */
  const missing = new Set<string>();
  const pause = inSlices();
  for (const step of decideSteps(plan.changes)) {
    const [{ action, kind }] = step as [PlannedChange];
    const section = sections[kind];
    requireAccess(actor, section.access.write);
    const each: SectionRun['each'] = async (changes, work, place) => {
      for (const change of changes) {
        if (faults.isFull || missing.has(change.id)) continue;
        await pause();
        const isDone = await faults.of(change, place ?? samePath, () => work(change));
        if (!isDone && action === 'create' && place === undefined) missing.add(change.id);
      }
    };
    const run: SectionRun = { actor: unconditional, context, tx: db.tx, db, before: workspace.objects[kind], each };
    const inputs: SectionChange<unknown>[] = [];
    for (const change of step) {
      if (referencesOf(change).some((name) => missing.has(ids.get(name) ?? ''))) missing.add(change.id);
      else if (action !== 'delete')
        await each([{ section: kind, ...change }], () => Promise.resolve(inputs.push(inputOf(section, change, idOf))));
    }
    if (faults.isFull) break;
    if (action === 'create') await section.create(run, inputs);
    else if (action === 'update') await section.update(run, inputs);
    else
      await section.remove(
        run,
        step.map(({ key, id }) => ({ section: kind, key, id })),
      );
  }
  faults.throwIfAny();
}

const samePath = (path: string) => path;

type IdOf = (section: Section, key: unknown) => unknown;

/** @throws Fault validation_failed, with the paths of REST */
function inputOf(section: DocumentSection, change: PlannedChange, idOf: IdOf): SectionChange<unknown> {
  const { action, kind, key, id, desired } = change;
  const { given } = desired!;
  const schemas = schemasOf(section, given)!;
  const [schema, fields] =
    action === 'create' ? [schemas.create, given] : [schemas.update, changedFields(section, change)];
  const parsed = schema.safeParse(withIds(fields, idOf), { error: issueSentence, reportInput: true });
  if (parsed.success) return { section: kind, key, id, input: parsed.data, given };
  const details = describeIssues(parsed.error.issues);
  throw invalidFields(details);
}

function changedFields({ withUrl = [] }: DocumentSection, { fields: changes, desired }: PlannedChange): Fields {
  const { fields, secrets } = desired!;
  const names = new Set(Object.keys(changes).map((path) => path.split('.', 1)[0]!));
  if (names.has('url')) for (const name of withUrl) names.add(name);
  const changed = Object.entries(fields).filter(([name]) => names.has(name));
  const whole = structuredClone(Object.fromEntries(changed));
  for (const [path, value] of Object.entries(secrets)) replaceMask(whole, path, value);
  return whole;
}
