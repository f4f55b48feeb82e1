import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import { workspaceEntitlements } from '../plans/index.js';
import type { Database, Tx } from '../../platform/db/database.js';
import { OneTransaction } from '../../platform/db/one-transaction.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import { type DocumentSections, type SectionContext, SECTIONS } from '../../platform/documents/document-section.js';
import { canonicalJson } from '@watchpost/shared/canonical-json';
import { requireAccess } from '../../platform/http/require-access.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import type { Actor } from '../../platform/identity/caller.js';
import { type ConfiguredWorkspace, readConfigured, readContext } from './configured-workspace.js';
import { decidePlan, type DecidedPlan } from './decide-plan.js';
import { type DesiredState, readDesired } from './desired-objects.js';
import type { ConfigPlan } from './document-schemas.js';
import { executePlan } from './execute-plan.js';
import { managedObjectStore } from './managed-object-store.js';
import { requireWithinPlan } from './require-within-plan.js';

export interface DocumentDeps {
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
  /** What the capabilities offer. */
  sections: DocumentSections;
}

export interface PlanInput {
  document: unknown;
  prune: boolean;
  adopt: boolean;
}

export interface ApplyInput extends PlanInput {
  maxDelete: number;
  expectedVersion?: string | undefined;
}

/**
 * What applying a document would change. It is found by applying it in a transaction that is rolled back, so that plan limits
 * and conflicts are found too.
 * @throws Fault as `applyDocument`, except for `maxDelete` and `expectedVersion`
 */
export async function planDocument(deps: DocumentDeps, actor: Actor, input: PlanInput): Promise<ConfigPlan> {
  const read = await readChecked(deps, actor, input.document);
  return OneTransaction.run(deps.db, 'rollback', async (parts) => {
    const { desired } = read;
    const before = await readConfigured(deps.sections, parts.tx, actor.workspace.workspaceId, read.context);
    const plan = await decided(deps, parts.tx, actor, before, desired, input);
    await executePlan(parts, { ...deps, ...read, actor, workspace: before }, plan);
    const view = planView(desired, plan, await versionOf(deps, before, desired.project));
    return { ...view, changes: view.changes.map((one) => (one.action === 'create' ? { ...one, id: null } : one)) };
  });
}

/**
 * Makes the workspace what a document describes, in one transaction.
 * @throws Fault validation_failed and all that the verbs of the sections throw, with the path of each fault in the document;
 * precondition_failed, too_many_deletions
 */
export async function applyDocument(deps: DocumentDeps, actor: Actor, input: ApplyInput): Promise<ConfigPlan> {
  const read = await readChecked(deps, actor, input.document);
  const { workspaceId } = actor.workspace;
  return OneTransaction.run(deps.db, 'commit', async (parts) => {
    const { tx } = parts;
    const { desired, context } = read;
    await managedObjectStore.lock(workspaceId, tx);
    const before = await readConfigured(deps.sections, tx, workspaceId, context);
    const { expectedVersion } = input;
    if (expectedVersion !== undefined && expectedVersion !== (await versionOf(deps, before, desired.project)))
      throw new Fault('precondition_failed', 'The objects of this project were changed meanwhile: plan again.');
    const plan = await decided(deps, tx, actor, before, desired, input);
    requireFewDeletions(plan, input.maxDelete);
    await executePlan(parts, { ...deps, ...read, actor, workspace: before }, plan);
    await managedObjectStore.remove(workspaceId, tx, desired.project, plan.deletions);
    await managedObjectStore.put(workspaceId, tx, desired.project, newlyOwned(plan, before, desired.project));
    await auditApply(deps, tx, actor, desired, plan);
    const after = await readConfigured(deps.sections, tx, workspaceId, context);
    return planView(desired, plan, await versionOf(deps, after, desired.project));
  });
}

async function readChecked(
  { db, clock, sections }: DocumentDeps,
  actor: Actor,
  document: unknown,
): Promise<{ desired: DesiredState; context: SectionContext }> {
  const { workspaceId, ownerId } = actor.workspace;
  const context = await db.read((tx) => readContext(tx, workspaceId));
  const desired = await readDesired(sections, document, { ownerId, nowMs: clock.now(), context });
  // What is unchanged changes nothing, and yet its fields are compared.
  for (const section of new Set(desired.objects.map((object) => object.section)))
    requireAccess(actor, sections[section].access.write);
  return { desired, context };
}

async function decided(
  { sections }: DocumentDeps,
  tx: Tx,
  actor: Actor,
  before: ConfiguredWorkspace,
  desired: DesiredState,
  input: PlanInput,
): Promise<DecidedPlan> {
  const plan = await decidePlan(sections, before, desired, input, inSlices());
  requireWithinPlan(await workspaceEntitlements(tx, actor.workspace.workspaceId), plan, desired);
  return plan;
}

/** What the project does not manage yet. */
function newlyOwned({ owned }: DecidedPlan, { managed }: ConfiguredWorkspace, project: string): DecidedPlan['owned'] {
  const former = new Map(managed.map((one) => [one.objectId, one]));
  return owned.filter(({ kind, key, objectId }) => {
    const one = former.get(objectId);
    return one?.project !== project || one.kind !== kind || one.key !== key;
  });
}

function requireFewDeletions({ deletions }: DecidedPlan, maxDelete: number): void {
  if (deletions.length <= maxDelete) return;
  throw new Fault(
    'too_many_deletions',
    `This would delete ${deletions.length} objects, and \`maxDelete\` is ${maxDelete}: raise it if that is meant.`,
  );
}

async function auditApply(
  deps: DocumentDeps,
  tx: Tx,
  actor: Actor,
  { project }: DesiredState,
  plan: DecidedPlan,
): Promise<void> {
  const { workspaceId } = actor.workspace;
  const { create, update, delete: deleted } = summaryOf(plan);
  if (create + update + deleted === 0) return;
  await recordAudit(deps, tx, actor, {
    action: 'config.applied',
    target: { id: workspaceId, name: project },
    after: { created: create, updated: update, deleted },
  });
}

function planView({ project }: DesiredState, plan: DecidedPlan, version: string): ConfigPlan {
  const changes = plan.changes.map(({ action, kind, key, id, fields }) => ({ action, kind, key, id, fields }));
  return { project, version, changes, summary: summaryOf(plan), warnings: plan.warnings };
}

function summaryOf({ changes }: DecidedPlan): ConfigPlan['summary'] {
  const summary = { create: 0, update: 0, delete: 0, orphan: 0, unchanged: 0 };
  for (const { action } of changes) summary[action]++;
  return summary;
}

/** Changes with every change of an object that the project manages, and with which objects these are. */
async function versionOf(
  { secretBox }: Pick<DocumentDeps, 'secretBox'>,
  { objects, managed }: ConfiguredWorkspace,
  project: string,
): Promise<string> {
  const pause = inSlices();
  const states: string[] = [];
  for (const { kind, key, objectId, project: of } of managed) {
    if (of !== project) continue;
    await pause();
    const { fields, secrets } = objects[kind].get(objectId)!;
    states.push(canonicalJson([SECTIONS.indexOf(kind), key, objectId, fields, secrets]));
  }
  return secretBox.sign(Buffer.from(`[${states.join(',')}]`), 'config-version').toString('hex');
}
