import type { Clock } from '@watchpost/shared/clock';
import { recordAudit } from '../audit/index.js';
import type { Database } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import type { DocumentSections, Section } from '../../platform/documents/document-section.js';
import { requireAccess } from '../../platform/http/require-access.js';
import { managedObjectStore } from './managed-object-store.js';

/**
 * Ends the management of objects by a project; the objects stay as they are.
 * @returns how many were managed
 * @throws Fault insufficient_scope, insufficient_workspace_role where the caller may not change objects of these kinds
 */
export async function detachObjects(
  deps: { db: Database; clock: Clock; sections: DocumentSections },
  actor: Actor,
  { project, objects }: { project: string; objects: readonly { kind: Section; key: string }[] },
): Promise<number> {
  const { workspaceId } = actor.workspace;
  for (const kind of new Set(objects.map((object) => object.kind)))
    requireAccess(actor, deps.sections[kind].access.write);
  return deps.db.transaction(async (tx) => {
    await managedObjectStore.lock(workspaceId, tx);
    const detached = await managedObjectStore.remove(workspaceId, tx, project, objects);
    if (detached > 0) {
      await recordAudit(deps, tx, actor, {
        action: 'config.detached',
        target: { id: workspaceId, name: project },
        before: { objects: objects.map(({ kind, key }) => `${kind}/${key}`) },
      });
    }
    return detached;
  });
}
