import { enqueueMail } from '../../alerts/index.js';
import { noticeStore } from './notice-store.js';
import type { SubscriberDeps } from './subscribe.js';
import { subscriberStore } from './subscriber-store.js';
import { noticeMail } from './subscription-mails.js';

/** A transaction each: small enough to be quick, large enough for twenty thousand subscribers to hear within minutes. */
const PORTION = 200;
/** Other work of the worker gets its turn after so many. */
const PORTIONS_A_RUN = 20;

/**
 * Turns what pages have to tell into a mail for each subscriber. Where it stopped is written with the mails, so that
 * nobody is told twice or left out, whatever ends this process.
 * @returns how many mails were handed over
 */
export async function spreadNotices(deps: SubscriberDeps): Promise<number> {
  let mails = 0;
  for (let portion = 0; portion < PORTIONS_A_RUN; portion++) {
    const told = await deps.db.transaction(async (tx) => {
      const notice = await noticeStore.holdNext(tx);
      if (!notice) return null;
      const { page, toldThrough } = notice;
      const next = await subscriberStore.confirmedAfter(page.workspaceId, tx, page.id, toldThrough, PORTION);
      const frame = { ...deps, slug: page.slug, pageName: page.name };
      for (const subscriber of next) {
        const once = `notice:${notice.id}:${subscriber.id}`;
        await enqueueMail(deps, tx, page.workspaceId, { ...noticeMail(frame, subscriber, notice), once });
      }
      await noticeStore.note(tx, notice.id, next.at(-1)?.id ?? toldThrough, next.length < PORTION);
      return next.length;
    });
    if (told === null) break;
    mails += told;
  }
  return mails;
}
