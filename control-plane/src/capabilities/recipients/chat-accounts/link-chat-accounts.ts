import type { Clock } from '@watchpost/shared/clock';
import { Fault, type FaultDetail, invalidFields } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { type OwnChange, recordAudit } from '../../audit/index.js';
import { type ActionGroupType, channelOf, CHANNELS, type createChannels } from '../../channels/index.js';
import { openGroupFields } from '../../group-settings/index.js';
import type { AlertDeps } from '../../delivery/index.js';
import { readSender, spendBudget } from '../../plans/index.js';
import type { ChatAccount, ChatAccountInput, ChatAccounts } from '../../workspaces/index.js';
import { CODE_LIFETIME_MS, makeCode } from '../consent/confirmation-secrets.js';
import type { ChatAccountEntity } from './chat-account.entity.js';
import { chatAccountStore } from './chat-account-store.js';

export type ChatAccountDeps = Pick<AlertDeps, 'db' | 'clock' | 'secretBox'> & {
  channels: ReturnType<typeof createChannels>;
};

/** The chats whose messages have a button. */
const CHATS = CHANNELS.filter(({ presses }) => presses !== undefined);
/** So many groups of a chat are tried: each may have another bot. */
const MOST_BOTS = 3;

interface SentCode {
  /** Of the account. */
  id: string;
  path: string;
  type: ActionGroupType;
  accountId: string;
  text: string;
}

/** The chat accounts of members, as the capability of workspaces needs them. */
export function chatAccounts(deps: ChatAccountDeps): ChatAccounts {
  return {
    async ofMember(tx, workspaceId, memberId) {
      return (await chatAccountStore.ofMember(workspaceId, tx, memberId)).map(describeChatAccount);
    },
    async replace(tx, actor, accounts) {
      const codes = await replace(deps, tx, actor, accounts);
      return () => sendCodes(deps, actor.workspace.workspaceId, codes);
    },
  };
}

export function describeChatAccount({
  type,
  accountId,
  confirmedAt,
}: Pick<ChatAccountEntity, 'type' | 'accountId' | 'confirmedAt'>): ChatAccount {
  return { type, id: accountId, isConfirmed: confirmedAt !== null };
}

/** The entry of the audit log where an account becomes the one of a member, or ceases to be. */
export function chatAccountChange(
  action: 'member.chat_account_linked' | 'member.chat_account_unlinked',
  { workspace: { memberId }, caller: { userId } }: Actor,
  { type, accountId }: Pick<ChatAccountEntity, 'type' | 'accountId'>,
): OwnChange {
  const target = { id: memberId, name: null, userId };
  const chatAccount = { type, id: accountId };
  return action === 'member.chat_account_linked'
    ? { action, target, after: { chatAccount } }
    : { action, target, before: { chatAccount } };
}

async function replace(
  deps: ChatAccountDeps,
  tx: Tx,
  actor: Actor,
  wanted: readonly ChatAccountInput[],
): Promise<SentCode[]> {
  const { workspaceId, memberId } = actor.workspace;
  const known = await chatAccountStore.ofMember(workspaceId, tx, memberId);
  const isSame = (one: ChatAccountInput, other: ChatAccountEntity) =>
    one.type === other.type && one.id === other.accountId;
  const faults: FaultDetail[] = [];
  const codes: SentCode[] = [];
  for (const account of known) {
    if (wanted.some((one) => isSame(one, account))) continue;
    await chatAccountStore.remove(workspaceId, tx, account.id);
    if (account.confirmedAt)
      await recordAudit(deps, tx, actor, chatAccountChange('member.chat_account_unlinked', actor, account));
  }
  const isLonger = wanted.some((one) => !known.some((account) => isSame(one, account)));
  for (const [place, one] of wanted.entries()) {
    const path = `chatAccounts.${place}`;
    const chat = CHATS.find(({ type }) => type === one.type);
    const own = known.find((account) => isSame(one, account));
    // What was sent to the others still holds; the same list sends new codes.
    if (isLonger && own?.secretUntil && own.secretUntil.getTime() > deps.clock.now()) continue;
    if (own?.confirmedAt || codes.some(({ type, accountId }) => type === one.type && accountId === one.id)) continue;
    if (!chat) {
      faults.push({ path: `${path}.type`, message: `must be one of ${CHATS.map(({ type }) => type).join(', ')}` });
      continue;
    }
    const account = { type: chat.type, accountId: one.id };
    if (await chatAccountStore.isTaken(workspaceId, tx, memberId, account))
      faults.push({ path: `${path}.id`, message: 'is linked to another member of this workspace' });
    else if ((await chatAccountStore.groupsWithBot(workspaceId, tx, chat.type, 1)).length === 0)
      faults.push({ path: `${path}.id`, message: withoutBot(chat) });
    else codes.push({ ...account, path, ...(await storeCode(deps, tx, actor, account, own?.id)) });
  }
  if (faults.length > 0) throw invalidFields(faults);
  await takeBudget(deps, tx, workspaceId, codes.length);
  return codes;
}

async function storeCode(
  { clock, secretBox }: ChatAccountDeps,
  tx: Tx,
  { workspace: { workspaceId, memberId } }: Actor,
  account: Pick<ChatAccountEntity, 'type' | 'accountId'>,
  ownId: string | undefined,
): Promise<{ id: string; text: string }> {
  const nowMs = clock.now();
  const id = ownId ?? newId(nowMs);
  const { code, secret } = makeCode(secretBox, id);
  const sent = { secret, secretUntil: new Date(nowMs + CODE_LIFETIME_MS), wrongCodes: 0 };
  if (ownId !== undefined) await chatAccountStore.update(workspaceId, tx, id, sent);
  else {
    const created = new Date(nowMs);
    await chatAccountStore.insert(tx, { ...account, ...sent, id, workspaceId, memberId, confirmedAt: null, created });
  }
  const workspaceName = await chatAccountStore.workspaceName(workspaceId, tx);
  const text = `${code} is the code that links this account to a member of the workspace ${workspaceName} in Watchpost. If you did not ask for it, pass it on to nobody.`;
  return { id, text };
}

/** The budget of requests to confirm bounds the codes of an owner in a day, whatever is unlinked and linked again. */
async function takeBudget({ clock }: { clock: Clock }, tx: Tx, workspaceId: string, count: number): Promise<void> {
  if (count === 0) return;
  const sender = await readSender(tx, workspaceId);
  if (sender && (await spendBudget(tx, sender, 'confirmations', clock.now(), sender.budgets.confirmations, count)))
    return;
  throw new Fault('rate_limited', 'This account has sent as many codes and requests as it may in a day.', [], 3_600);
}

/** @throws Fault validation_failed with the reason of each code that could not be sent; those accounts are removed */
async function sendCodes(deps: ChatAccountDeps, workspaceId: string, codes: readonly SentCode[]): Promise<void> {
  const reasons = await Promise.all(codes.map((code) => sendCode(deps, workspaceId, code)));
  const failed = codes.flatMap((code, place) => {
    const message = reasons[place];
    return message === null || message === undefined ? [] : [{ ...code, message }];
  });
  if (failed.length === 0) return;
  await deps.db.transaction(async (tx) => {
    for (const { id } of failed) await chatAccountStore.remove(workspaceId, tx, id);
  });
  throw invalidFields(failed.map(({ path, message }) => ({ path: `${path}.id`, message })));
}

function withoutBot({ title }: { title: string }): string {
  return `cannot be sent a code: no enabled ${title} group of this workspace has a bot (\`botToken\`)`;
}

/** @returns why the code could not be sent; null where it was */
async function sendCode(
  { db, secretBox, channels, clock }: ChatAccountDeps,
  workspaceId: string,
  { type, accountId, text }: SentCode,
): Promise<string | null> {
  const { presses, ...channel } = channelOf(type);
  const groups = await db.read((tx) => chatAccountStore.groupsWithBot(workspaceId, tx, type, MOST_BOTS));
  let why = withoutBot(channel);
  for (const group of groups) {
    const fields = openGroupFields(secretBox, type, group);
    const outcome = await presses!.sendTo(channels, { id: group.id, fields }, { accountId, text }, clock.now());
    if (outcome.kind === 'sent') return null;
    why = `could not be sent a code by the bot. ${outcome.answer}`;
  }
  return why;
}
