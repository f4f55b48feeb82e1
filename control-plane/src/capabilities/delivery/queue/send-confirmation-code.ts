import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { alertEventStore } from './alert-event-store.js';
import { addDeliveries } from './add-deliveries.js';
import { CONFIRMATION_PURPOSE } from './delivery.js';

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
