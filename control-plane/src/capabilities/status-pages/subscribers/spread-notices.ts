import { enqueueMail } from '../../alerts/index.js';
import type { Tx } from '../../../platform/db/database.js';
import { type NoticeRow, noticeStore } from './notice-store.js';
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
 * @throws what kept a notice from being told, once others had their turn
 */
export async function spreadNotices(deps: SubscriberDeps): Promise<number> {
  let mails = 0;
  const stuck = new Map<string, unknown>();
  for (let portion = 0; portion < PORTIONS_A_RUN; portion++) {
    let noticeId: string | null = null;
    try {
      const told = await deps.db.transaction(async (tx) => {
        const notice = await noticeStore.holdNext(tx, [...stuck.keys()]);
        if (!notice) return null;
        noticeId = notice.id;
        return tellPortion(deps, tx, notice);
      });
      if (told === null) break;
      mails += told;
    } catch (error) {
      // One notice that cannot be told must not keep the others from being told.
      if (noticeId === null) throw error;
      stuck.set(noticeId, error);
    }
  }
  for (const error of stuck.values()) throw error;
  return mails;
}

async function tellPortion(deps: SubscriberDeps, tx: Tx, notice: NoticeRow): Promise<number> {
  const { page, toldThrough } = notice;
  const next = await subscriberStore.confirmedAfter(page.workspaceId, tx, page.id, toldThrough, PORTION);
  const frame = { ...deps, slug: page.slug, pageName: page.name };
  for (const subscriber of next) {
    const once = `notice:${notice.id}:${subscriber.id}`;
    await enqueueMail(deps, tx, page.workspaceId, { ...noticeMail(frame, subscriber, notice), once });
  }
  await noticeStore.note(tx, notice.id, next.at(-1)?.id ?? toldThrough, next.length < PORTION);
  return next.length;
}
