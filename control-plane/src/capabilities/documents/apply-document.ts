import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import { workspaceEntitlements } from '../plans/index.js';
import { readTimeZone } from '../workspaces/index.js';
import type { Tx } from '../../platform/db/database.js';
import { keptStatements } from '../../platform/db/kept-statements.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import type { Actor } from '../../platform/identity/caller.js';
import type { ConfiguredDeps, ConfiguredWorkspace } from './configured-objects.js';
import { readConfigured } from './configured-objects.js';
import { decidePlan, type DecidedPlan } from './decide-plan.js';
import { type DesiredState, readDesired } from './desired-objects.js';
import { executePlan } from './execute-plan.js';
import { requireWithinPlan } from './require-within-plan.js';
import { KINDS } from './kinds.js';
import { managedObjectStore } from './managed-object-store.js';
import { type Operations, operationRunner, type OuterRequest, requireAllowed } from './operations.js';
import { readPeople } from './people.js';
import type { ConfigPlan } from './document-schemas.js';
import { SECTIONS } from './sections.js';
import { canonicalJson } from '@watchpost/shared/canonical-json';

export interface DocumentDeps extends ConfiguredDeps {
  clock: Clock;
  /** The operations of REST that create, change and delete what documents describe. */
  operations: Operations;
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
export async function planDocument(deps: DocumentDeps, request: OuterRequest, input: PlanInput): Promise<ConfigPlan> {
  const desired = await readChecked(deps, request.actor, input.document);
  return deps.db.together(
    'rollback',
    async (tx) => {
      const { actor } = request;
      const before = await readConfigured(deps, tx, actor);
      const plan = await decidePlan(before, desired, input, inSlices());
      requireWithinPlan(await workspaceEntitlements(tx, actor.workspace.workspaceId), plan, desired);
      await executePlan(tx, executionOf(deps, request, desired, before), plan);
      return planView(desired, plan, await versionOf(deps, before, desired.project));
    },
    keptStatements,
  );
}

/**
 * Makes the workspace what a document describes, in one transaction.
 * @throws Fault validation_failed and all that the operations of REST throw, with the path of each fault in the document;
 * precondition_failed, too_many_deletions
 */
export async function applyDocument(deps: DocumentDeps, request: OuterRequest, input: ApplyInput): Promise<ConfigPlan> {
  const desired = await readChecked(deps, request.actor, input.document);
  return deps.db.together(
    'commit',
    async (tx) => {
      const { actor } = request;
      await managedObjectStore.lock(actor.workspace.workspaceId, tx);
      const before = await readConfigured(deps, tx, actor);
      const { expectedVersion } = input;
      if (expectedVersion !== undefined && expectedVersion !== (await versionOf(deps, before, desired.project))) {
        throw new Fault('precondition_failed', 'The objects of this project were changed meanwhile: plan again.');
      }
      const plan = await decidePlan(before, desired, input, inSlices());
      requireWithinPlan(await workspaceEntitlements(tx, actor.workspace.workspaceId), plan, desired);
      requireFewDeletions(plan, input.maxDelete);
      await executePlan(tx, executionOf(deps, request, desired, before), plan);
      const { workspaceId } = actor.workspace;
      await managedObjectStore.remove(workspaceId, tx, desired.project, plan.deletions);
      await managedObjectStore.put(workspaceId, tx, desired.project, newlyOwned(plan, before, desired.project));
      await auditApply(deps, tx, actor, desired, plan);
      return planView(desired, plan, await versionOf(deps, await readConfigured(deps, tx, actor), desired.project));
    },
    keptStatements,
  );
}

async function readChecked({ db, operations }: DocumentDeps, actor: Actor, document: unknown): Promise<DesiredState> {
  const { workspaceId, ownerId } = actor.workspace;
  const about = await db.read(async (tx) => ({
    workspaceZone: await readTimeZone(tx, workspaceId),
    people: await readPeople(tx, workspaceId),
  }));
  const desired = await readDesired(operations, document, { ownerId, ...about });
  // What is unchanged needs no operation, and yet its fields are compared.
  const needed = new Set(desired.objects.map(({ section, given }) => KINDS[section].createWith(given)!));
  for (const operationId of needed) requireAllowed(operations, operationId, actor);
  return desired;
}

function executionOf(
  { operations }: DocumentDeps,
  request: OuterRequest,
  desired: DesiredState,
  workspace: ConfiguredWorkspace,
) {
  const { workspaceId } = request.actor.workspace;
  const hasBatches = (operationId: string) => operations.get(operationId)?.handleAll !== undefined;
  return { workspaceId, workspace, ...operationRunner(operations, request), hasBatches, desired };
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
    workspaceId,
    action: 'config.applied',
    target: { id: workspaceId, name: project },
    before: null,
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
