import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { nextBudgetDay, readSenders, refundBudget, type Sender, spendBudget } from '../../plans/index.js';
import { enqueueMail } from '../queue/queue.js';
import { decideAdmission, type MessagePurpose, type Refusal } from './decide-admission.js';
import { decideRecipientState, type RecipientChannel, type RecipientRules } from './decide-recipient-state.js';
import { admissionStore } from './admission-store.js';
import { budgetMail } from './budget-mail.js';

export type AdmitDeps = RecipientRules & { clock: Clock };

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
  /** Whether the address is the verified one of a member. */
  isMember: boolean;
  atMs: number;
}

const ANSWERS: Readonly<Record<Refusal, string>> = {
  recipient_unconfirmed: 'The recipient has not confirmed yet. Have the request sent again.',
  recipient_refused: 'The recipient refused alerts. Remove it from the group, or invite its user as a member.',
  budget_exceeded: "The owner's budget for today is used up. It is renewed at midnight UTC.",
};

/** A message that is admitted, or why it is refused; null where the workspace was deleted. */
export type AdmittedMessage = Admitted | { refusal: Refusal; answer: string } | null;

/** Admits one message: see `admitMessages`. */
export async function admitMessage(deps: AdmitDeps, tx: Tx, message: OutgoingMessage): Promise<AdmittedMessage> {
  return (await admitMessages(deps, tx, [message]))[0]!;
}

/**
 * Admits messages and counts them against the budgets of their owners, in the given order, or returns why they are refused.
 * The first message over a budget notifies the owner, once a day.
 */
export async function admitMessages(
  deps: AdmitDeps,
  tx: Tx,
  messages: readonly OutgoingMessage[],
): Promise<AdmittedMessage[]> {
  const senders = await readSenders(
    tx,
    messages.map(({ workspaceId }) => workspaceId),
  );
  const statuses = await admissionStore.statusesOf(tx, messages);
  const atMs = deps.clock.now();
  const results = messages.map((): AdmittedMessage => null);
  const counted: CountedMessage[] = [];
  for (const [place, { workspaceId, channel, purpose }] of messages.entries()) {
    const [sender, status] = [senders.get(workspaceId), statuses[place]];
    if (!sender || !status) continue;
    const state = decideRecipientState(status, deps.recipientVerification);
    const admission = decideAdmission(channel, purpose, state, sender.budgets);
    if ('refusal' in admission) results[place] = refused(admission.refusal);
    else counted.push({ place, workspaceId, sender, isMember: status.isMember, ...admission });
  }
  // Budgets are locked in one order, `mails` last.
  const orderOf = ({ kind, sender }: CountedMessage): string =>
    `${kind === 'mails'} ${sender.principal.toString('hex')}`;
  const groups = groupBy(counted, (one) => `${orderOf(one)} ${one.most}`);
  for (const key of [...groups.keys()].toSorted()) {
    const group = groups.get(key)!;
    const { sender, kind, most } = group[0]!;
    const isWithin = await spendBudget(tx, sender, kind, atMs, most, group.length);
    for (const { place, workspaceId, isMember } of group) {
      if (isWithin || (group.length > 1 && (await spendBudget(tx, sender, kind, atMs, most)))) {
        results[place] = { refusal: null, sender, kind, isMember, atMs };
        continue;
      }
      await notifyOwner(deps, tx, workspaceId, sender, kind);
      results[place] = refused('budget_exceeded');
    }
  }
  return results;
}

interface CountedMessage {
  place: number;
  workspaceId: string;
  sender: Sender;
  kind: 'mails' | 'sms';
  isMember: boolean;
  most: number | null;
}

function refused(refusal: Refusal): { refusal: Refusal; answer: string } {
  return { refusal, answer: ANSWERS[refusal] };
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
  const email = await admissionStore.emailOfOwner(workspaceId, tx);
  if (email === null) return;
  const once = `budget ${kind} ${ownerId} ${nextBudgetDay(deps.clock.now()).toISOString()}`;
  await enqueueMail(deps, tx, workspaceId, budgetMail(email, kind, budgets[kind], once));
}
