import { Fault, invalidField } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { type AlertDeps, type RecipientChannel, recipientStates } from '../../delivery/index.js';
import { MAX_REQUESTS } from './send-confirmation-requests.js';
import { addPendingRecipients } from './add-pending-recipients.js';
import { recipientStore } from './recipient-store.js';

/**
 * Has the request to confirm sent again; the former link or code becomes invalid.
 * @param path the field that names the recipient
 * @throws Fault validation_failed where the recipient need not or must not be asked, rate_limited
 */
export async function repeatConfirmationRequest(
  deps: AlertDeps,
  tx: Tx,
  workspaceId: string,
  channel: RecipientChannel,
  address: string,
  path: string,
): Promise<void> {
  const state = (await recipientStates(deps, tx, workspaceId, channel, [address]))[0]?.state;
  if (state === 'refused')
    throw invalidField(path, 'refused further requests: enter another one, or invite its user as a member');
  if (state !== 'pending') throw invalidField(path, 'needs no confirmation');
  await addPendingRecipients(deps, tx, workspaceId, channel, [address]);
  const row = await recipientStore.lock(workspaceId, tx, channel, address);
  if (!row)
    throw new Fault('rate_limited', 'Too many of your recipients have not answered. Remove some first.', [], 86_400);
  const now = new Date(deps.clock.now());
  if (row.askedEver >= MAX_REQUESTS.inAll)
    throw new Fault(
      'rate_limited',
      `This recipient was asked ${MAX_REQUESTS.inAll} times and never answered. Enter another one, or invite its user as a member.`,
      [],
      86_400,
    );
  const recent = row.askedSince !== null && row.askedSince.getTime() > now.getTime() - DAY_MS ? row.asked : 0;
  if (recent >= MAX_REQUESTS.perDay)
    throw new Fault(
      'rate_limited',
      `This recipient was asked ${MAX_REQUESTS.perDay} times in 24 hours. Try again tomorrow.`,
      [],
      86_400,
    );
  await recipientStore.scheduleRequest(workspaceId, tx, row.id, now);
}
