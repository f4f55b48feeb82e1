import { enqueueMail } from '../../delivery/index.js';
import type { Tx } from '../../../platform/db/database.js';
import { type NoticeRow, noticeStore } from './notice-store.js';
import type { SubscriberDeps } from './subscribe.js';
import { subscriberStore } from './subscriber-store.js';
import { noticeMail } from './subscription-mails.js';

/** Subscribers per transaction: short transactions, yet twenty thousand subscribers within minutes. */
const BATCH = 200;
/** Batches per run of the job. */
const BATCHES_PER_RUN = 20;
const OWNERS_KEPT = 1_000;

/** The owners of pages by the time of their last turn, in this process: no owner's notices delay those of another. */
export class NoticeTurns {
  #served: string[] = [];

  get served(): readonly string[] {
    return this.#served;
  }

  add(ownerId: string): void {
    this.#served = [...this.#served.filter((id) => id !== ownerId), ownerId].slice(-OWNERS_KEPT);
  }
}

/**
 * Enqueues a mail for each subscriber of each notice, a batch of one owner after the other. The progress is written in the transaction of the mails, so that no
 * subscriber is notified twice or left out when this process ends.
 * @returns the number of enqueued mails
 * @throws the error of a failing notice, after the others had their turn
 */
export async function sendNotices(deps: SubscriberDeps, turns: NoticeTurns): Promise<number> {
  let mails = 0;
  const stuck = new Map<string, unknown>();
  for (let batch = 0; batch < BATCHES_PER_RUN; batch++) {
    let noticeId: string | null = null;
    try {
      const sent = await deps.db.transaction(async (tx) => {
        const notice = await noticeStore.holdNext(tx, [...stuck.keys()], turns.served);
        if (!notice) return null;
        noticeId = notice.id;
        turns.add(notice.ownerId);
        return sendBatch(deps, tx, notice);
      });
      if (sent === null) break;
      mails += sent;
    } catch (error) {
      // A notice that fails must not block the others.
      if (noticeId === null) throw error;
      stuck.set(noticeId, error);
    }
  }
  for (const error of stuck.values()) throw error;
  return mails;
}

async function sendBatch(deps: SubscriberDeps, tx: Tx, notice: NoticeRow): Promise<number> {
  const { page, sentThrough } = notice;
  // What was not sent before the page was unpublished is no news when it is published again.
  if (!notice.isPublished) {
    await noticeStore.recordProgress(tx, notice.id, sentThrough, true);
    return 0;
  }
  const next = await subscriberStore.confirmedAfter(page.workspaceId, tx, page.id, sentThrough, BATCH);
  const frame = { ...deps, slug: page.slug, pageName: page.name };
  for (const subscriber of next) {
    const once = `notice:${notice.id}:${subscriber.id}`;
    await enqueueMail(deps, tx, page.workspaceId, { ...noticeMail(frame, subscriber, notice), once });
  }
  await noticeStore.recordProgress(tx, notice.id, next.at(-1)?.id ?? sentThrough, next.length < BATCH);
  return next.length;
}
