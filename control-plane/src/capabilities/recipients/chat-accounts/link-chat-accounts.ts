import type { Clock } from '@watchpost/shared/clock';
import { Fault, type FaultDetail, invalidFields } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import type { Tx } from '../../../platform/db/database.js';
import { isMaskedUrl } from '../../../platform/http/masked-url.js';
import type { Actor } from '../../../platform/identity/caller.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import { type OwnChange, recordAudit } from '../../audit/index.js';
import {
  type ActionGroupType,
  type AlertRules,
  channelOf,
  CHANNELS,
  type createChannels,
  kindOf,
  sendMessage,
} from '../../channels/index.js';
import {
  contactField,
  LENT_FIELDS,
  type Lender,
  maskContact,
  openGroupFields,
  resolveContact,
} from '../../group-settings/index.js';
import type { AlertDeps } from '../../delivery/index.js';
import { readSender, spendBudget } from '../../plans/index.js';
import type { ChatAccount, ContactMethod, ContactMethodType, OwnAccounts } from '../../workspaces/index.js';
import { CODE_LIFETIME_MS, makeCode } from '../consent/confirmation-secrets.js';
import type { AccountUse, ChatAccountEntity } from './chat-account.entity.js';
import { type AccountName, chatAccountStore } from './chat-account-store.js';

export type ChatAccountDeps = Pick<AlertDeps, 'db' | 'clock' | 'secretBox'> & {
  channels: ReturnType<typeof createChannels>;
  rules: AlertRules;
};

/** The chats whose messages have a button. */
const CHATS = CHANNELS.filter(({ presses }) => presses !== undefined);
/** So many groups of a chat are tried: each may have another bot. */
const MOST_BOTS = 3;

type WantedAccount = AccountName & { path: string };

interface NewCode extends WantedAccount {
  id: string;
  workspaceName: string;
  code: string;
  secret: ChatAccountEntity['secret'];
}

/** The accounts of members at services, as the capability of workspaces needs them. */
export function ownAccounts(deps: ChatAccountDeps): OwnAccounts {
  return {
    async ofMember(tx, workspaceId, memberId) {
      const accounts = await chatAccountStore.ofMember(workspaceId, tx, memberId);
      return {
        chatAccounts: accounts.filter(({ use }) => use === 'press').map(describeChatAccount),
        contactMethods: accounts.filter(({ use }) => use === 'page').map(describeContactMethod),
      };
    },
    change(actor, { chatAccounts, contactMethods }) {
      const wanted = [
        ...(chatAccounts ?? []).map(({ type, id: accountId }, place): WantedAccount => ({
          ...{ use: 'press', type: type as ActionGroupType, accountId },
          path: `chatAccounts.${place}`,
        })),
        ...(contactMethods ?? []).map(({ type, address: accountId }, place): WantedAccount => ({
          ...{ use: 'page', type, accountId },
          path: `contactMethods.${place}.address`,
        })),
      ];
      const uses: AccountUse[] = [
        ...(chatAccounts === undefined ? [] : (['press'] as const)),
        ...(contactMethods === undefined ? [] : (['page'] as const)),
      ];
      const sent: NewCode[] = [];
      let unsent: NewCode[] = [];
      return {
        async apply(tx) {
          unsent = uses.length === 0 ? [] : await replace(deps, tx, actor, uses, wanted, sent);
          return unsent.length === 0;
        },
        async sendCodes() {
          await sendCodes(deps, actor.workspace.workspaceId, unsent);
          sent.push(...unsent);
        },
      };
    },
  };
}

type DescribedAccount = Pick<ChatAccountEntity, 'type' | 'accountId' | 'confirmedAt'>;

export function describeChatAccount({ type, accountId, confirmedAt }: DescribedAccount): ChatAccount {
  return { type, id: accountId, isConfirmed: confirmedAt !== null };
}

export function describeContactMethod({ type, accountId, confirmedAt }: DescribedAccount): ContactMethod {
  return { type: type as ContactMethodType, address: accountId, isConfirmed: confirmedAt !== null };
}

/** The entry of the audit log where an account becomes the one of a member, or ceases to be. */
export function accountChange(
  { workspace: { memberId }, caller: { userId } }: Actor,
  { use, type, accountId }: AccountName,
  isLinked: boolean,
): OwnChange {
  const target = { id: memberId, name: null, userId };
  const [account, linked, unlinked] =
    use === 'press'
      ? ([
          { chatAccount: { type, id: accountId } },
          'member.chat_account_linked',
          'member.chat_account_unlinked',
        ] as const)
      : ([
          { contactMethod: { type, address: maskContact(type as ContactMethodType, accountId) } },
          'member.contact_method_confirmed',
          'member.contact_method_removed',
        ] as const);
  return isLinked
    ? { action: linked, target, after: { ...account } }
    : { action: unlinked, target, before: { ...account } };
}

async function replace(
  deps: ChatAccountDeps,
  tx: Tx,
  actor: Actor,
  uses: readonly AccountUse[],
  wanted: readonly WantedAccount[],
  sent: readonly NewCode[],
): Promise<NewCode[]> {
  const { workspaceId, memberId } = actor.workspace;
  const known = (await chatAccountStore.ofMember(workspaceId, tx, memberId)).filter(({ use }) => uses.includes(use));
  const faults: FaultDetail[] = [];
  const codes: NewCode[] = [];
  for (const account of known) {
    if (wanted.some((one) => isSame(one, account))) continue;
    await chatAccountStore.remove(workspaceId, tx, account.id);
    if (account.confirmedAt) await recordAudit(deps, tx, actor, accountChange(actor, account, false));
  }
  const isLonger = wanted.some((one) => !known.some((account) => isSame(one, account)));
  for (const one of wanted) {
    const own = known.find((account) => isSame(one, account));
    // What was sent to the others still holds; the same list sends new codes.
    if (isLonger && own?.secretUntil && own.secretUntil.getTime() > deps.clock.now()) continue;
    if (own?.confirmedAt || codes.some((code) => isSame(code, one))) continue;
    const found = await faultsOf(deps, tx, actor, one);
    if (found.length > 0) faults.push(...found);
    else {
      const code =
        sent.find((each) => isSame(each, one) && each.id === (own?.id ?? each.id)) ??
        (await newCode(deps, tx, actor, one, own?.id));
      await storeCode(deps, tx, actor, code, own?.id);
      codes.push(code);
    }
  }
  if (faults.length > 0) throw invalidFields(faults);
  return codes.filter((code) => !sent.includes(code));
}

function isSame(one: AccountName, other: AccountName): boolean {
  return one.use === other.use && one.type === other.type && one.accountId === other.accountId;
}

/** Returns why an account cannot be one of the caller. */
async function faultsOf(
  { rules }: ChatAccountDeps,
  tx: Tx,
  { workspace: { workspaceId, memberId } }: Actor,
  { path, ...account }: WantedAccount,
): Promise<FaultDetail[]> {
  if (account.use === 'press') {
    if (!CHATS.some(({ type }) => type === account.type))
      return [{ path: `${path}.type`, message: `must be one of ${CHATS.map(({ type }) => type).join(', ')}` }];
    if (await chatAccountStore.isTaken(workspaceId, tx, memberId, account))
      return [{ path: `${path}.id`, message: 'is linked to another member of this workspace' }];
  } else {
    const field = contactField(account.type as ContactMethodType);
    const parsed = kindOf(field).input(field, rules).safeParse(account.accountId);
    // Answers show the value whole, so that a mask is an address of nobody.
    if (!parsed.success) return parsed.error.issues.map(({ message }) => ({ path, message }));
    if (account.accountId === MASK || isMaskedUrl(account.accountId))
      return [{ path, message: 'must be whole, not masked' }];
  }
  const lent = lentField(account);
  if (lent === null || (await chatAccountStore.groupsWith(workspaceId, tx, { ...account, field: lent }, 1)).length > 0)
    return [];
  return [{ path: pathOf({ ...account, path }), message: withoutLender(account) }];
}

function pathOf({ use, path }: WantedAccount): string {
  return use === 'press' ? `${path}.id` : path;
}

/** The field of a group without which nothing can be sent to the account; null where none is needed. */
function lentField({ use, type }: AccountName): string | null {
  return use === 'press' ? 'botToken' : LENT_FIELDS[type as ContactMethodType];
}

async function newCode(
  { clock, secretBox }: ChatAccountDeps,
  tx: Tx,
  { workspace: { workspaceId } }: Actor,
  wanted: WantedAccount,
  id = newId(clock.now()),
): Promise<NewCode> {
  return {
    ...wanted,
    id,
    ...makeCode(secretBox, id),
    workspaceName: await chatAccountStore.workspaceName(workspaceId, tx),
  };
}

async function storeCode(
  { clock }: ChatAccountDeps,
  tx: Tx,
  { workspace: { workspaceId, memberId } }: Actor,
  { use, type, accountId, id, secret }: NewCode,
  ownId: string | undefined,
): Promise<void> {
  const nowMs = clock.now();
  const sent = { secret, secretUntil: new Date(nowMs + CODE_LIFETIME_MS), wrongCodes: 0 };
  if (ownId !== undefined) return chatAccountStore.update(workspaceId, tx, ownId, sent);
  const created = new Date(nowMs);
  await chatAccountStore.insert(tx, {
    use,
    type,
    accountId,
    ...sent,
    id,
    workspaceId,
    memberId,
    confirmedAt: null,
    created,
  });
}

/** The budget of requests to confirm bounds the codes of an owner in a day, whatever is unlinked and linked again. */
async function takeBudget({ clock }: { clock: Clock }, tx: Tx, workspaceId: string, count: number): Promise<void> {
  const sender = await readSender(tx, workspaceId);
  if (sender && (await spendBudget(tx, sender, 'confirmations', clock.now(), sender.budgets.confirmations, count)))
    return;
  throw new Fault('rate_limited', 'This account has sent as many codes and requests as it may in a day.', [], 3_600);
}

/** @throws Fault `rate_limited`, `validation_failed` with the reason of each code that could not be sent */
async function sendCodes(deps: ChatAccountDeps, workspaceId: string, codes: readonly NewCode[]): Promise<void> {
  await deps.db.transaction((tx) => takeBudget(deps, tx, workspaceId, codes.length));
  const reasons = await Promise.all(codes.map((code) => sendCode(deps, workspaceId, code)));
  const faults = codes.flatMap((code, place) => {
    const message = reasons[place];
    return message === null || message === undefined ? [] : [{ path: pathOf(code), message }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

function withoutLender({ use, type }: AccountName): string {
  const { title } = channelOf(type);
  return `cannot be sent a code: no enabled ${title} group of this workspace has ${use === 'press' ? 'a bot (`botToken`)' : `\`${LENT_FIELDS[type as ContactMethodType]}\` to lend`}`;
}

/** @returns why the code could not be sent; null where it was */
async function sendCode(deps: ChatAccountDeps, workspaceId: string, sent: NewCode): Promise<string | null> {
  const { db, secretBox, channels, clock } = deps;
  const { use, type, accountId, code, workspaceName } = sent;
  const { presses } = channelOf(type);
  const field = lentField(sent);
  // People are paged by the oldest group alone, so that only its bot proves a contact method.
  const most = use === 'press' ? MOST_BOTS : 1;
  const groups =
    field === null
      ? [null]
      : await db.read((tx) => chatAccountStore.groupsWith(workspaceId, tx, { type, field }, most));
  let why = withoutLender(sent);
  for (const group of groups) {
    const outcome =
      use === 'page'
        ? await sendToContact(deps, workspaceId, sent, group)
        : await presses!.sendTo(
            channels,
            { id: group!.id, fields: openGroupFields(secretBox, type, group!) },
            {
              accountId,
              text: `${code} is the code that links this account to a member of the workspace ${workspaceName} in Watchpost. If you did not ask for it, pass it on to nobody.`,
            },
            clock.now(),
          );
    if (outcome.kind === 'sent') return null;
    why = `could not be sent a code${use === 'press' ? ' by the bot' : ''}. ${outcome.answer}`;
  }
  return why;
}

async function sendToContact(
  { secretBox, channels, clock }: ChatAccountDeps,
  workspaceId: string,
  { id, type, accountId, code, workspaceName }: NewCode,
  lender: Lender | null,
): Promise<SendOutcome> {
  const destination = resolveContact(secretBox, { type: type as ContactMethodType, address: accountId }, lender);
  if (typeof destination === 'string') return { kind: 'rejected', statusCode: null, answer: destination };
  const nowMs = clock.now();
  const subject = { workspaceName, monitor: null, incident: null, person: null };
  const event = { id, workspaceId, type: 'confirmation', atMs: nowMs, detail: {}, subject } as const;
  // Another id for each code: a service may drop a second message under the same one.
  const outgoing = { destination, id: newId(nowMs), notifications: [{ event, extra: { code } }] as const };
  return sendMessage(channels, () => Promise.resolve(undefined), outgoing, nowMs);
}
