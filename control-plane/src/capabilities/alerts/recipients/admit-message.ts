import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { dayOf, readSender, refundBudget, type Sender, spendBudget } from '../../plans/index.js';
import { enqueueMail } from '../delivery/enqueue-mail.js';
import { decideAdmission, type MessagePurpose, type Refusal } from './decide-admission.js';
import { decideRecipientState, type RecipientRules } from './decide-recipient-state.js';
import { contactStore } from './contact-store.js';
import { budgetMail } from './recipient-mails.js';
import { type RecipientChannel, recipientStore } from './recipient-store.js';

export type AdmitDeps = RecipientRules & { clock: Clock };

/** A message to an address or a number. */
export interface OutgoingMessage {
  workspaceId: string;
  channel: RecipientChannel;
  address: string;
  purpose: MessagePurpose;
}

/** A message that is counted; `refundMessage` refunds it if it is not sent. */
export interface Admitted {
  refusal: null;
  sender: Sender;
  kind: 'mails' | 'sms';
  atMs: number;
}

/** What a refusal means, and what to do. */
const ANSWERS: Readonly<Record<Refusal, string>> = {
  recipient_unconfirmed: 'The recipient has not confirmed yet. Have the request sent again.',
  recipient_refused: 'The recipient refused alerts. Remove it from the group, or invite its user as a member.',
  budget_exceeded: "The owner's budget for today is used up. It is renewed at midnight UTC.",
};

/**
 * Admits one message and counts it against the budget of the owner, or returns why it is refused. The first message over
 * a budget notifies the owner, once a day.
 * @returns null where the workspace was deleted
 */
export async function admitMessage(
  deps: AdmitDeps,
  tx: Tx,
  { workspaceId, channel, address, purpose }: OutgoingMessage,
): Promise<Admitted | { refusal: Refusal; answer: string } | null> {
  const sender = await readSender(tx, workspaceId);
  const [status] = await recipientStore.statuses(workspaceId, tx, channel, [address]);
  if (!sender || !status) return null;
  const state = decideRecipientState(status, deps.recipientVerification);
  const admission = decideAdmission(channel, purpose, state, sender.budgets);
  if ('refusal' in admission) return { refusal: admission.refusal, answer: ANSWERS[admission.refusal] };
  const { kind, most } = admission;
  const atMs = deps.clock.now();
  if (await spendBudget(tx, sender, kind, atMs, most)) return { refusal: null, sender, kind, atMs };
  await notifyOwner(deps, tx, workspaceId, sender, kind);
  return { refusal: 'budget_exceeded', answer: ANSWERS.budget_exceeded };
}

/** Refunds a message that was not sent. */
export async function refundMessage(tx: Tx, { sender, kind, atMs }: Admitted): Promise<void> {
  await refundBudget(tx, sender, kind, atMs);
}

async function notifyOwner(
  deps: AdmitDeps,
  tx: Tx,
  workspaceId: string,
  { ownerId, budgets }: Sender,
  kind: 'mails' | 'sms',
): Promise<void> {
  const email = await contactStore.emailOfOwner(workspaceId, tx);
  if (email === null) return;
  const once = `budget ${kind} ${ownerId} ${dayOf(deps.clock.now())}`;
  await enqueueMail(deps, tx, workspaceId, budgetMail(email, kind, budgets[kind], once));
}
