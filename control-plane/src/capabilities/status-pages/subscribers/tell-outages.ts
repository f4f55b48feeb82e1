import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { momentText } from '../../../platform/pages/moment-text.js';
import { escapeMarkdown } from '../site/render-markdown.js';
import { noticeStore } from './notice-store.js';
import type { SubscriberDeps } from './subscribe.js';
import { type PageOutage, type TellingPage, toldOutageStore } from './told-outage-store.js';

/** An outage that is over sooner is not worth a mail to everybody. */
const SETTLE_MS = 30_000;
/** Outages that begin soon after another are told together. */
const TOGETHER_MS = 5 * 60_000;
/** What began longer ago is no news: the page was not asked to tell of it then. */
const NEWS_MS = 3_600_000;
const PAGES_AT_ONCE = 100;

/**
 * Tells the subscribers of pages that want it of outages, and once all that they were told of is over, of that. Each
 * outage is told once, however many workers run this.
 * @returns how many notices were written
 */
export async function tellOutages(deps: Pick<SubscriberDeps, 'db' | 'clock'>): Promise<number> {
  let notices = 0;
  let afterId: string | null = null;
  for (;;) {
    const { pages, told } = await tellPages(deps, afterId);
    notices += told;
    if (pages.length < PAGES_AT_ONCE) return notices;
    afterId = pages.at(-1)!.id;
  }
}

/** Pages that have nothing new to tell are among those that are held: all that come after them have their turn too. */
async function tellPages(
  deps: Pick<SubscriberDeps, 'db' | 'clock'>,
  afterId: string | null,
): Promise<{ pages: TellingPage[]; told: number }> {
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const pages = await toldOutageStore.holdPages(tx, new Date(nowMs - NEWS_MS), afterId, PAGES_AT_ONCE);
    let told = 0;
    for (const page of pages) if ((await tellBegun(tx, page, nowMs)) || (await tellOver(tx, page, nowMs))) told++;
    return { pages, told };
  });
}

async function tellBegun(tx: Tx, page: TellingPage, nowMs: number): Promise<boolean> {
  if (page.lastTold && nowMs - page.lastTold.getTime() < TOGETHER_MS) return false;
  const from = new Date(nowMs - NEWS_MS);
  const outages = await toldOutageStore.untold(page.workspaceId, tx, page.id, from, new Date(nowMs - SETTLE_MS));
  if (outages.length === 0) return false;
  await toldOutageStore.tell(tx, outages, new Date(nowMs));
  const names = [...new Set(outages.flatMap(({ systems }) => systems))];
  await noticeStore.insert(page.workspaceId, tx, page.id, {
    id: newId(nowMs),
    subject: `[${page.name}] Outage: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}`,
    body: outages.map((outage) => `- ${sentence(outage)}`).join('\n'),
    postId: null,
    created: new Date(nowMs),
  });
  return true;
}

async function tellOver(tx: Tx, page: TellingPage, nowMs: number): Promise<boolean> {
  if ((await toldOutageStore.knownGoesOn(page.workspaceId, tx, page.id)) !== false) return false;
  await toldOutageStore.tellOver(tx, page.id);
  await noticeStore.insert(page.workspaceId, tx, page.id, {
    id: newId(nowMs),
    subject: `[${page.name}] The outage is over`,
    body: `What you were told of works again, as of ${momentText(nowMs)}.`,
    postId: null,
    created: new Date(nowMs),
  });
  return true;
}

function sentence({ systems, severity, started }: PageOutage): string {
  const what = severity === 'partial' ? 'partly unavailable' : 'unavailable';
  return `${escapeMarkdown(systems.join(', '))}: ${what} since ${momentText(started.getTime())}`;
}
