import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import type { AlertEvent } from '../../channels/index.js';
import { addDeliveries } from './add-deliveries.js';
import { alertEventStore, wakeDelivery } from './alert-event-store.js';
import { CONFIRMATION_PURPOSE } from './delivery.js';
import { deliveryLaneStore } from './delivery-lane-store.js';
import { mailOutboxStore } from './mail-outbox-store.js';

/**
 * Queues events in the caller's transaction. After the commit, the groups of their monitors are notified even if this
 * process dies; after a rollback they are not.
 */
export async function queueEvents({ clock }: { clock: Clock }, tx: Tx, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await alertEventStore.insert(
    tx,
    events.map((event) => ({ ...event, id: newId(clock.now()) })),
  );
}

/**
 * Queues a mail in the caller's transaction. After the commit it is sent, with retries, even if this process dies;
 * after a rollback it is not.
 */
export async function enqueueMail(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  mail: OutgoingMail,
): Promise<void> {
  const nowMs = deps.clock.now();
  await mailOutboxStore.insert(tx, { id: newId(nowMs), workspaceId, mail, at: new Date(nowMs) });
}

/** Queues a code to a phone number in the caller's transaction. The code is deleted once the message is sent. */
export async function sendConfirmationCode(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  phoneNumber: string,
  code: string,
): Promise<void> {
  const nowMs = deps.clock.now();
  const eventId = newId(nowMs);
  await alertEventStore.insertConfirmation(workspaceId, tx, { id: eventId, at: new Date(nowMs) });
  const address = phoneNumber;
  const purpose = CONFIRMATION_PURPOSE;
  await addDeliveries(deps, tx, [
    { workspaceId, eventId, groupId: null, channel: 'sms', address, purpose, extra: { code } },
  ]);
}

/** Pauses the deliveries of an owner on suspension, and resumes them when it ends. */
export async function setDeliveriesPaused(
  { clock }: { clock: Clock },
  tx: Tx,
  ownerId: string,
  isPaused: boolean,
): Promise<void> {
  if (isPaused) return deliveryLaneStore.pause(ownerId, tx);
  await deliveryLaneStore.resume(ownerId, tx, new Date(clock.now()));
  await wakeDelivery(tx);
}
