import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import { readSender, spendBudget } from '../../plans/index.js';
import { admitMessage, enqueueMail } from '../../delivery/index.js';
import { addPendingRecipients, type PendingDeps } from './add-pending-recipients.js';

/**
 * Admits a mail that is not an alert, such as a report, to an address and counts it. An address that must confirm is
 * asked.
 * @returns whether it may be sent
 */
export async function admitMail(deps: PendingDeps, tx: Tx, workspaceId: string, address: string): Promise<boolean> {
  const admitted = await admitMessage(deps, tx, { workspaceId, channel: 'email', address, purpose: 'alert' });
  if (admitted?.refusal === 'recipient_unconfirmed')
    await addPendingRecipients(deps, tx, workspaceId, 'email', [address]);
  return admitted?.refusal === null;
}

/**
 * Sends an invitation within the daily budget of invitations. It also counts as mail, but that budget does not refuse it.
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
      `The owner of this workspace may send at most ${most} invitations a day. Try again tomorrow.`,
      [],
      86_400,
    );
  await spendBudget(tx, sender, 'mails', nowMs, null);
  await enqueueMail(deps, tx, workspaceId, mail);
}
