import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { readSender, spendBudget } from '../../plans/index.js';
import type { OutgoingMail } from '../channels/mailer.js';
import { enqueueMail } from '../delivery/enqueue-mail.js';
import { type AdmitDeps, admitMessage } from './admit-message.js';
import { addPendingRecipients } from './add-pending-recipients.js';

/**
 * Whether a mail that a workspace sends by itself, such as a report, may go to this address; it is counted then. An
 * address that must confirm is asked.
 */
export async function admitMail(deps: AdmitDeps, tx: Tx, workspaceId: string, address: string): Promise<boolean> {
  const admitted = await admitMessage(deps, tx, { workspaceId, channel: 'email', address, purpose: 'alert' });
  if (admitted?.refusal === 'recipient_unconfirmed')
    await addPendingRecipients(deps, tx, workspaceId, 'email', [address]);
  return admitted?.refusal === null;
}

/**
 * Sends an invitation within the budget of the day. It is counted as mail too, and not refused for that.
 * @throws Fault rate_limited
 */
export async function sendInvitation(
  deps: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  mail: OutgoingMail,
): Promise<void> {
  const nowMs = deps.clock.now();
  const sender = await readSender(tx, workspaceId);
  if (!sender) return;
  const most = sender.budgets.invitations;
  if (!(await spendBudget(tx, sender, 'invitations', nowMs, most)))
    throw new Fault(
      'rate_limited',
      `The owner of this workspace has at most ${most} invitations sent a day: try again tomorrow.`,
      [],
      86_400,
    );
  await spendBudget(tx, sender, 'mails', nowMs, null);
  await enqueueMail(deps, tx, workspaceId, mail);
}
