import type { Clock } from '@watchpost/shared/clock';
import { found } from '@watchpost/shared/fault';
import type { ListPage, Rows, Transactions, Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { describeStatusPage } from './describe-status-page.js';
import type { StatusPageView } from './status-page-schemas.js';
import { statusPageStore } from './status-page-store.js';

export interface StatusPageDeps {
  db: Transactions;
  clock: Clock;
  /** Called after the commit when the public content of this slug has changed. */
  onPageChanged(slug: string): void;
}

/** Status pages of the workspace, newest first. */
export async function listStatusPages(
  deps: Pick<StatusPageDeps, 'db'>,
  actor: Actor,
  page: Rows,
): Promise<ListPage<StatusPageView>> {
  return deps.db.read((tx) => viewsOfPages(tx, actor.workspace.workspaceId, page));
}

/** The same in a transaction. */
export async function viewsOfPages(tx: Tx, workspaceId: string, page: Rows): Promise<ListPage<StatusPageView>> {
  const { items: rows, total } = await statusPageStore.page(workspaceId, tx, page);
  const ids = rows.map(({ id }) => id);
  const systems = await statusPageStore.systems(workspaceId, tx, ids);
  return { items: rows.map((row) => describeStatusPage(row, systems.get(row.id)!)), total };
}

/** @throws Fault not_found */
export async function getStatusPage(
  deps: Pick<StatusPageDeps, 'db'>,
  actor: Actor,
  id: string,
): Promise<StatusPageView> {
  return deps.db.read((tx) => viewOfPage(tx, actor.workspace.workspaceId, id));
}

/** @throws Fault not_found */
export async function viewOfPage(tx: Tx, workspaceId: string, id: string): Promise<StatusPageView> {
  const row = found(await statusPageStore.find(workspaceId, tx, id), 'status page');
  const systems = await statusPageStore.systems(workspaceId, tx, [id]);
  return describeStatusPage(row, systems.get(id)!);
}
