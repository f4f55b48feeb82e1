import { z } from 'zod';
import type { DocumentSection, SectionChange, SectionRun } from '../../../platform/documents/document-section.js';
import { requireAccess } from '../../../platform/http/require-access.js';
import { uuid } from '../../../platform/http/schemas.js';
import type { AlertDeps } from '../../delivery/index.js';
import { attachMonitor, detachMonitor, detachSingle } from './attach-monitor.js';
import { ALERT_ACCESS } from './document-section.js';
import { groupUseStore } from './group-use-store.js';

const actionGroupIds = z
  .array(uuid)
  .max(1_000)
  .transform((ids) => [...new Set(ids)])
  .optional()
  .describe('The action groups that are notified.');

interface WithGroups {
  actionGroupIds?: string[] | undefined;
}

/**
 * Monitors in documents with the action groups that they notify. Left out, these are left alone: a new monitor has the default
 * groups of the workspace, which are not a constant.
 */
export function withActionGroups<Input, Patch>(
  monitors: DocumentSection<Input, Patch>,
  deps: Omit<AlertDeps, 'secretBox'>,
): DocumentSection<Input & WithGroups, Patch & WithGroups> {
  return {
    ...monitors,
    schemas: monitors.schemas.map(({ create, update }) => ({
      create: create.safeExtend({ actionGroupIds }),
      update: update.safeExtend({ actionGroupIds }),
    })),
    configuredBy({ actionGroupIds: ids, ...input }, context) {
      const { fields, secrets } = monitors.configuredBy(input as Input, context);
      return { fields: { ...fields, ...(ids && { actionGroupIds: ids }) }, secrets };
    },
    async read(tx, workspaceId, context) {
      const attached = await attachedGroups(tx, workspaceId);
      return (await monitors.read(tx, workspaceId, context)).map(({ id, fields, secrets }) => ({
        id,
        fields: { ...fields, actionGroupIds: attached.get(id) ?? [] },
        secrets,
      }));
    },
    async create(run, changes) {
      await monitors.create(run, changes.map(withoutGroups));
      await attachGroups(deps, run, changes);
    },
    async update(run, changes) {
      const changed = changes.map(withoutGroups<Patch>);
      await monitors.update(
        run,
        changed.filter(({ input }) => Object.keys(input as object).length > 0),
      );
      await attachGroups(deps, run, changes);
    },
  };
}

function withoutGroups<Input>({ input, ...change }: SectionChange<Input & WithGroups>): SectionChange<Input> {
  const { actionGroupIds: _, ...own } = input;
  return { ...change, input: own as Input };
}

async function attachGroups(
  { clock, recipientVerification }: Omit<AlertDeps, 'secretBox'>,
  run: SectionRun,
  changes: readonly SectionChange<WithGroups>[],
): Promise<void> {
  const { actor, db, tx } = run;
  const named = changes.filter(({ input }) => input.actionGroupIds !== undefined);
  if (named.length === 0) return;
  const deps = { db, clock, recipientVerification };
  const attached = await attachedGroups(tx, actor.workspace.workspaceId);
  await run.each(
    named,
    async ({ id: monitorId, input }) => {
      const wanted = new Set(input.actionGroupIds);
      const current = new Set(attached.get(monitorId));
      const added = [...wanted].filter((id) => !current.has(id));
      const removed = [...current].filter((id) => !wanted.has(id));
      if (added.length + removed.length > 0) requireAccess(actor, ALERT_ACCESS.write);
      for (const id of added) await attachMonitor(deps, actor, { id, monitorId });
      // A document lists what is attached one by one; what its groups attach by themselves is stated there.
      for (const id of removed) await detachMonitor(deps, actor, { id, monitorId }, detachSingle);
    },
    'actionGroups',
  );
}

/** The action groups of each monitor of a workspace that has any, in the order of their creation. */
async function attachedGroups(tx: SectionRun['tx'], workspaceId: string): Promise<Map<string, string[]>> {
  const rows = await groupUseStore.ofMonitors(workspaceId, tx);
  return new Map(rows.map(({ monitorId, groupIds }) => [monitorId, groupIds]));
}
