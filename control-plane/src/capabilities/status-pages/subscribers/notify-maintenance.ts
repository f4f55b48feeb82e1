import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { statusPageStore } from '../status-page-store.js';
import { decideMaintenanceNotices, type MaintenanceNews } from './decide-maintenance-notices.js';
import { maintenanceNotice } from './maintenance-notice.js';
import { noticeStore } from './notice-store.js';
import { type AnnouncingPage, notifiedMaintenanceStore } from './notified-maintenance-store.js';
import type { SubscriberDeps } from './subscribe.js';

const PAGES_AT_ONCE = 20;

/**
 * Writes notices of maintenance for the subscribers of the status pages that announce it: a day before, at its end, and
 * where what they know was moved, changed or cancelled. What they know is written with the notice, so that each is written
 * once for any number of workers.
 * @returns the number of notices
 */
export async function notifyMaintenance(deps: Pick<SubscriberDeps, 'db' | 'clock'>): Promise<number> {
  let notices = 0;
  const done: string[] = [];
  for (;;) {
    const pages = await deps.db.transaction(async (tx) => {
      const nowMs = deps.clock.now();
      const pages = await notifiedMaintenanceStore.lockPages(tx, new Date(nowMs), done, PAGES_AT_ONCE);
      for (const page of pages) notices += await notifyPage(tx, page, nowMs);
      return pages;
    });
    done.push(...pages.map(({ id }) => id));
    if (pages.length < PAGES_AT_ONCE) return notices;
  }
}

async function notifyPage(tx: Tx, page: AnnouncingPage, nowMs: number): Promise<number> {
  const { id: pageId, workspaceId } = page;
  const known = await notifiedMaintenanceStore.known(workspaceId, tx, pageId);
  const gone = known.filter(({ now }) => now === null).map(({ windowId }) => windowId);
  const coming = await notifiedMaintenanceStore.coming(workspaceId, tx, pageId, gone, new Date(nowMs));
  const news = decideMaintenanceNotices(known, coming, nowMs);
  if (news.length === 0) return 0;
  const systems = (await statusPageStore.systems(workspaceId, tx, [pageId])).get(pageId) ?? [];
  let notices = 0;
  for (const one of news) {
    await record(tx, page, one);
    if (one.kind === 'forgotten') continue;
    const affected = 'coming' in one ? one.coming.systemIds : [];
    const names = systems.filter(({ id }) => affected.includes(id)).map(({ name }) => name);
    const notice = maintenanceNotice(one, page.name, names, nowMs);
    await noticeStore.insert(workspaceId, tx, pageId, { ...notice, id: newId(nowMs), created: new Date(nowMs) });
    notices++;
  }
  return notices;
}

/** Records what subscribers know after the notice. */
async function record(tx: Tx, { id, workspaceId }: AnnouncingPage, news: MaintenanceNews): Promise<void> {
  const { insert, update, remove } = notifiedMaintenanceStore;
  switch (news.kind) {
    case 'planned':
      return insert(workspaceId, tx, id, news.coming);
    case 'moved':
      await remove(workspaceId, tx, id, news.known);
      return news.isPlanned ? insert(workspaceId, tx, id, news.coming) : undefined;
    case 'resized':
    case 'over':
      return update(workspaceId, tx, id, news.known, { endMs: news.endMs, isOver: news.kind === 'over' });
    case 'cancelled':
    case 'forgotten':
      return remove(workspaceId, tx, id, news.known);
  }
}
