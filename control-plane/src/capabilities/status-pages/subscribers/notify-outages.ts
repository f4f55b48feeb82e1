import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { momentText } from '@watchpost/shared/design/texts';
import { escapeMarkdown } from '../site/render-markdown.js';
import { outageWord } from '../site/words.js';
import { noticeStore } from './notice-store.js';
import type { SubscriberDeps } from './subscribe.js';
import {
  type KnownOutages,
  NEWS_MS,
  notifiedOutageStore,
  type NotifyingStatusPage,
  type ShownOutage,
} from './notified-outage-store.js';
import type { Notice } from './subscription-mails.js';

/** Shorter outages cause no mail. */
const SETTLE_MS = 30_000;
/** Outages that begin within this time after a notice wait for the next one. */
const TOGETHER_MS = 5 * 60_000;
const PAGES_AT_ONCE = 100;

/**
 * Writes notices of outages for the subscribers of status pages that notify of them, and one when all these outages are
 * over or no longer watched. Each outage is notified once for any number of workers.
 * @returns the number of notices
 */
export async function notifyOutages(deps: Pick<SubscriberDeps, 'db' | 'clock'>): Promise<number> {
  let notices = 0;
  let afterId: string | null = null;
  for (;;) {
    const { pages, written } = await notifyBatch(deps, afterId);
    notices += written;
    if (pages.length < PAGES_AT_ONCE) return notices;
    afterId = pages.at(-1)!.id;
  }
}

/** Status pages without news are part of a batch, too, so the caller continues after the last one. */
async function notifyBatch(
  deps: Pick<SubscriberDeps, 'db' | 'clock'>,
  afterId: string | null,
): Promise<{ pages: NotifyingStatusPage[]; written: number }> {
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const pages = await notifiedOutageStore.lockStatusPages(tx, new Date(nowMs - NEWS_MS), afterId, PAGES_AT_ONCE);
    let written = 0;
    for (const page of pages)
      if ((await notifyBegun(tx, page, nowMs)) || (await notifyEnded(tx, page, nowMs))) written++;
    return { pages, written };
  });
}

async function notifyBegun(tx: Tx, page: NotifyingStatusPage, nowMs: number): Promise<boolean> {
  if (page.lastNotified && nowMs - page.lastNotified.getTime() < TOGETHER_MS) return false;
  const from = new Date(nowMs - NEWS_MS);
  const outages = await notifiedOutageStore.notNotified(
    page.workspaceId,
    tx,
    page.id,
    from,
    new Date(nowMs - SETTLE_MS),
  );
  if (outages.length === 0) return false;
  await notifiedOutageStore.record(tx, outages, new Date(nowMs));
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

async function notifyEnded(tx: Tx, page: NotifyingStatusPage, nowMs: number): Promise<boolean> {
  const known = await notifiedOutageStore.known(page.workspaceId, tx, page.id);
  if (known.ongoing > 0 || known.recovered + known.unwatched === 0) return false;
  await notifiedOutageStore.recordEnd(tx, page.id);
  await noticeStore.insert(page.workspaceId, tx, page.id, {
    id: newId(nowMs),
    ...endOf(page, known, nowMs),
    postId: null,
    created: new Date(nowMs),
  });
  return true;
}

function endOf(
  { name }: NotifyingStatusPage,
  { recovered, unwatched }: KnownOutages,
  nowMs: number,
): Pick<Notice, 'subject' | 'body'> {
  const asOf = `recovered as of ${momentText(nowMs)}.`;
  if (unwatched === 0) return { subject: `[${name}] The outage is over`, body: `All affected systems have ${asOf}` };
  const unknown = 'no longer watched: whether they have recovered is not known.';
  return {
    subject: `[${name}] The outage is no longer watched`,
    body:
      recovered === 0
        ? `The affected systems are ${unknown}`
        : `Some affected systems have ${asOf} The others are ${unknown}`,
  };
}

function sentence({ systems, severity, began }: ShownOutage): string {
  return `${escapeMarkdown(systems.join(', '))}: ${outageWord(severity)} since ${momentText(began.getTime())}`;
}
