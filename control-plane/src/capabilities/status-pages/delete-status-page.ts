import { found } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { Actor } from '../../platform/identity/caller.js';
import { auditedPage } from './describe-status-page.js';
import { type StatusPageDeps, viewOfPage } from './read-status-pages.js';
import { statusPageStore } from './status-page-store.js';

/** Deletes a page with its posts; its address is free at once. @throws Fault not_found, precondition_failed */
export async function deleteStatusPage(deps: StatusPageDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  const { slug } = await deps.db.transaction(async (tx) => {
    const row = found(await statusPageStore.find(workspaceId, tx, id, 'FOR NO KEY UPDATE'), 'status page');
    const view = await viewOfPage(tx, workspaceId, id);
    actor.checkPrecondition?.(view);
    await statusPageStore.remove(workspaceId, tx, id);
    await recordAudit(deps, tx, actor, { action: 'status_page.deleted', target: view, before: auditedPage(view) });
    return row;
  });
  deps.onPageChanged(slug);
}
