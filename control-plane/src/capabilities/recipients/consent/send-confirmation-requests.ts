import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import type { Transactions, Tx } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { nextBudgetDay, readSender, refundBudget, spendBudget } from '../../plans/index.js';
import { enqueueMail, sendConfirmationCode } from '../../delivery/index.js';
import { CODE_LIFETIME_MS, LINK_LIFETIME_MS, makeCode, makeLink } from './confirmation-secrets.js';
import { requestMail } from './recipient-mails.js';
import { anyRecipientStore, contactStore, type RecipientRow } from './recipient-store.js';

export interface RequestDeps {
  db: Transactions;
  clock: Clock;
  secretBox: SecretBox;
  /** Without a trailing slash. */
  baseUrl: string;
}

const BATCH = 100;
/** The limits of requests to one address: of one owner in a day and in all, and of all owners together in a day. */
export const MAX_REQUESTS = { perDay: 3, inAll: 10, perDayOfAllOwners: 10 };

/**
 * Sends the requests that are due: a link by mail, a code by SMS. Each is queued in the transaction that records it, so
 * it is sent once even if this process dies.
 * @returns how many were sent
 */
export async function sendConfirmationRequests(deps: RequestDeps): Promise<number> {
  const due = await deps.db.read((tx) => anyRecipientStore.due(tx, new Date(deps.clock.now()), BATCH));
  let sent = 0;
  for (const id of due) if (await deps.db.transaction((tx) => ask(deps, tx, id))) sent++;
  return sent;
}

async function ask(deps: RequestDeps, tx: Tx, id: string): Promise<boolean> {
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const recipient = await anyRecipientStore.claim(tx, id, now);
  if (!recipient) return false;
  const { workspaceId, channel } = recipient;
  if (workspaceId === null || !recipient.isUsed || recipient.isConfirmed || recipient.isRefused) {
    await anyRecipientStore.postpone(tx, id, null);
    return false;
  }
  if (!(await takeBudget(tx, { ...recipient, workspaceId }, nowMs))) {
    await anyRecipientStore.postpone(tx, id, nextBudgetDay(nowMs));
    return false;
  }
  const dayAgo = new Date(nowMs - DAY_MS);
  if (channel === 'email') {
    const { token, secret } = makeLink();
    const owner = await contactStore.verifiedEmailOfOwner(workspaceId, tx);
    const until = new Date(nowMs + LINK_LIFETIME_MS);
    await anyRecipientStore.recordRequest(tx, id, { secret, until, now, dayAgo });
    await enqueueMail(deps, tx, workspaceId, requestMail(deps.baseUrl, recipient.address, owner, token));
  } else {
    const { code, secret } = makeCode(deps.secretBox, id);
    await anyRecipientStore.recordRequest(tx, id, { secret, until: new Date(nowMs + CODE_LIFETIME_MS), now, dayAgo });
    await sendConfirmationCode(deps, tx, workspaceId, recipient.address, code);
  }
  return true;
}

/** Takes a request from the budget of requests, and from that of SMS. Mail is counted, but its budget refuses none. */
async function takeBudget(tx: Tx, recipient: RecipientRow & { workspaceId: string }, nowMs: number): Promise<boolean> {
  const dayAgo = new Date(nowMs - DAY_MS);
  if ((await anyRecipientStore.countRequestsOfAllOwners(tx, recipient, dayAgo)) >= MAX_REQUESTS.perDayOfAllOwners)
    return false;
  const sender = await readSender(tx, recipient.workspaceId);
  if (!sender) return false;
  const { budgets } = sender;
  if (!(await spendBudget(tx, sender, 'confirmations', nowMs, budgets.confirmations))) return false;
  if (recipient.channel === 'email') return spendBudget(tx, sender, 'mails', nowMs, null);
  if (await spendBudget(tx, sender, 'sms', nowMs, budgets.sms)) return true;
  await refundBudget(tx, sender, 'confirmations', nowMs);
  return false;
}
