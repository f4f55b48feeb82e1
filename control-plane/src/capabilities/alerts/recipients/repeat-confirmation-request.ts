import { Fault } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertDeps } from '../alert-deps.js';
import { MOST_REQUESTS } from './send-confirmation-requests.js';
import { decideRecipientState } from './decide-recipient-state.js';
import { addPendingRecipients } from './add-pending-recipients.js';
import { type RecipientChannel, recipientStore } from './recipient-store.js';

/**
 * Has the request to confirm sent again, at once: the link or code before it is of no use then.
 * @param path the field that names the recipient
 * @throws Fault validation_failed where it need not or must not be asked, rate_limited
 */
export async function repeatConfirmationRequest(
  deps: AlertDeps,
  tx: Tx,
  workspaceId: string,
  channel: RecipientChannel,
  address: string,
  path: string,
): Promise<void> {
  const [standing] = await recipientStore.standings(workspaceId, tx, channel, [address]);
  const state = standing && decideRecipientState(standing, deps.recipientVerification);
  if (state === 'refused')
    throw unfit(path, 'refused to be asked again: name another one, or invite its owner as a member');
  if (state !== 'pending') throw unfit(path, 'needs no confirmation');
  await addPendingRecipients(deps, tx, workspaceId, channel, [address]);
  const row = await recipientStore.lock(workspaceId, tx, channel, address);
  if (!row)
    throw new Fault('rate_limited', 'Too many of your recipients have not answered: take some out first.', [], 86_400);
  const now = new Date(deps.clock.now());
  if (row.askedEver >= MOST_REQUESTS.ever)
    throw new Fault(
      'rate_limited',
      `This recipient was asked ${MOST_REQUESTS.ever} times and never answered: name another one, or invite its owner as a member.`,
      [],
      86_400,
    );
  const recent = row.askedSince !== null && row.askedSince.getTime() > now.getTime() - DAY_MS ? row.asked : 0;
  if (recent >= MOST_REQUESTS.aDay)
    throw new Fault(
      'rate_limited',
      `This recipient was asked ${MOST_REQUESTS.aDay} times in 24 hours: try again tomorrow.`,
      [],
      86_400,
    );
  await recipientStore.askAt(workspaceId, tx, row.id, now);
}

function unfit(path: string, message: string): Fault {
  return new Fault('validation_failed', 'Correct the fields named in `details`.', [{ path, message }]);
}
