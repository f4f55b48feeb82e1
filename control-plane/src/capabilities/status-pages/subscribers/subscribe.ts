import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import { enqueueMail } from '../../delivery/index.js';
import type { Database } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { publicPageStore } from '../public-page-store.js';
import { SLUG } from '../status-page-schemas.js';
import type { EmailAddress } from './email-address.js';
import { noticeStore } from './notice-store.js';
import { notifiedMaintenanceStore } from './notified-maintenance-store.js';
import { alreadySubscribedMail, confirmationMail } from './subscription-mails.js';
import { hashConfirmation, makeConfirmation, subscriberOfToken } from './subscription-links.js';
import { type SubscribedPage, subscriberStore } from './subscriber-store.js';

export interface SubscriberDeps {
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
  /** Without a slash at the end. */
  baseUrl: string;
}

export const CONFIRM_WITHIN_MS = 48 * 3_600_000;
/** Confirmation mails per day to one address from one status page. */
const MAILS_A_DAY = 3;
/** The same over all status pages, because anybody can create one. */
const MAILS_A_DAY_OF_ALL = 10;
/** Notices that were sent, and maintenance that is over, are kept for this time. */
const NOTICES_KEPT_MS = 30 * DAY_MS;
/** Subscribers per status page, including unconfirmed ones. */
const MAX_SUBSCRIBERS = 20_000;

/**
 * Sends the link that confirms a subscription to the address. The answer is the same for all addresses, so that callers
 * learn nothing about subscribers.
 * @throws Fault not_found, unavailable where the page has its maximum of subscribers
 */
export async function subscribe(deps: SubscriberDeps, slug: string, { address, key }: EmailAddress): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const page = SLUG.test(slug) ? await publicPageStore.published(tx, slug) : undefined;
    if (!page) throw new Fault('not_found', 'There is no status page at this address.');
    const { workspaceId } = page;
    if ((await subscriberStore.count(workspaceId, tx, page.id)) >= MAX_SUBSCRIBERS)
      throw new Fault('unavailable', 'This page takes no more subscribers right now: its feed has the same news.');
    const nowMs = deps.clock.now();
    const subscriber = await subscriberStore.ask(workspaceId, tx, {
      id: newId(nowMs),
      pageId: page.id,
      email: address,
      emailKey: key,
      now: new Date(nowMs),
      dayAgo: new Date(nowMs - DAY_MS),
    });
    if (subscriber.asked > MAILS_A_DAY) return;
    const ofAll = await subscriberStore.askedOfAll(tx, key, new Date(nowMs - DAY_MS), MAILS_A_DAY);
    if (ofAll > MAILS_A_DAY_OF_ALL) return;
    const about = { ...deps, slug, pageName: page.name };
    if (subscriber.isConfirmed) {
      await enqueueMail(deps, tx, workspaceId, alreadySubscribedMail(about, subscriber));
      return;
    }
    const { token, hash } = makeConfirmation(slug);
    await subscriberStore.offer(workspaceId, tx, subscriber.id, hash, new Date(nowMs + CONFIRM_WITHIN_MS));
    await enqueueMail(deps, tx, workspaceId, confirmationMail(about, subscriber, token));
  });
}

/** The status page of a confirmation link. @throws Fault not_found as `confirmSubscription` does */
export async function readConfirmation(deps: SubscriberDeps, slug: string, token: string): Promise<SubscribedPage> {
  const now = new Date(deps.clock.now());
  return orExpired(
    await deps.db.read((tx) => subscriberStore.awaitingConfirmation(tx, hashConfirmation(slug, token), now)),
  );
}

/** Confirms a subscription. @throws Fault not_found where the link was used, replaced by a newer one, or is older than 48 h */
export async function confirmSubscription(deps: SubscriberDeps, slug: string, token: string): Promise<SubscribedPage> {
  const now = new Date(deps.clock.now());
  return orExpired(await deps.db.transaction((tx) => subscriberStore.confirm(tx, hashConfirmation(slug, token), now)));
}

function orExpired(page: SubscribedPage | undefined): SubscribedPage {
  if (page) return page;
  throw new Fault(
    'not_found',
    'This link was used already, was replaced by a newer one, or is older than 48 hours: subscribe again to get another.',
  );
}

/**
 * The status page of an unsubscribe link; null where the subscription has already ended.
 * @throws Fault not_found for an invalid link
 */
export async function readSubscription(
  deps: SubscriberDeps,
  slug: string,
  token: string,
): Promise<SubscribedPage | null> {
  const id = idOf(deps, slug, token);
  return (await deps.db.read((tx) => subscriberStore.pageOf(tx, id))) ?? null;
}

/** Ends a subscription; ending it again is no fault. @throws Fault not_found for a link that no mail of ours had */
export async function unsubscribe(deps: SubscriberDeps, slug: string, token: string): Promise<void> {
  const id = idOf(deps, slug, token);
  await deps.db.transaction((tx) => subscriberStore.remove(tx, id));
}

/** Deletes subscribers that never confirmed, and what is no longer needed of notices. */
export async function purgeSubscribers(deps: Pick<SubscriberDeps, 'db' | 'clock'>): Promise<void> {
  const nowMs = deps.clock.now();
  const before = new Date(nowMs - NOTICES_KEPT_MS);
  await deps.db.transaction(async (tx) => {
    await subscriberStore.purgeUnconfirmed(tx, new Date(nowMs), new Date(nowMs - CONFIRM_WITHIN_MS));
    await noticeStore.purge(tx, before);
    await notifiedMaintenanceStore.purge(tx, before);
  });
}

function idOf({ secretBox }: SubscriberDeps, slug: string, token: string): string {
  const id = subscriberOfToken(secretBox, slug, token);
  if (id !== undefined) return id;
  throw new Fault('not_found', 'This link is not complete: take the whole of it from the mail.');
}
