import { Fault, invalidField } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { AlertDeps } from '../../delivery/index.js';
import {
  type ChatAccount,
  type ChatAccountInput,
  type ContactMethod,
  type ContactMethodInput,
  lockWorkspaceAs,
} from '../../workspaces/index.js';
import { isValidCode, MAX_WRONG_CODES } from '../consent/confirmation-secrets.js';
import type { ChatAccountEntity } from './chat-account.entity.js';
import { type AccountName, chatAccountStore } from './chat-account-store.js';
import { accountChange, describeChatAccount, describeContactMethod } from './link-chat-accounts.js';

type ConfirmDeps = Pick<AlertDeps, 'db' | 'clock' | 'secretBox'>;

/**
 * Links a chat account to the caller by the code that was sent there. A linked one stays linked.
 * @throws Fault validation_failed for a wrong code, where none was sent, or where the account is linked to another member;
 * rate_limited after too many wrong codes
 */
export async function confirmChatAccount(
  deps: ConfirmDeps,
  actor: Actor,
  { type, id, code }: ChatAccountInput & { code: string },
): Promise<ChatAccount> {
  const name = { use: 'press', type: type as ActionGroupType, accountId: id } as const;
  return describeChatAccount(await confirm(deps, actor, name, code));
}

/** Confirms an address of the caller by the code that was sent there. @throws Fault as `confirmChatAccount` */
export async function confirmContactMethod(
  deps: ConfirmDeps,
  actor: Actor,
  { type, address, code }: ContactMethodInput & { code: string },
): Promise<ContactMethod> {
  return describeContactMethod(await confirm(deps, actor, { use: 'page', type, accountId: address }, code));
}

async function confirm(deps: ConfirmDeps, actor: Actor, name: AccountName, code: string): Promise<ChatAccountEntity> {
  // A wrong code is counted: the fault is thrown after the commit.
  const attempt = await deps.db.transaction((tx) => attemptOf(deps, tx, actor, name, code));
  if (attempt instanceof Fault) throw attempt;
  return attempt;
}

async function attemptOf(
  deps: ConfirmDeps,
  tx: Tx,
  actor: Actor,
  name: AccountName,
  code: string,
): Promise<ChatAccountEntity | Fault> {
  const { workspaceId, memberId } = actor.workspace;
  const now = new Date(deps.clock.now());
  const field = name.use === 'press' ? 'id' : 'address';
  // Two members who confirm the same account take turns.
  await lockWorkspaceAs(tx, actor, 'Viewer');
  const row = await chatAccountStore.lockOwn(workspaceId, tx, memberId, name);
  if (!row)
    return invalidField(
      field,
      `is not among your ${name.use === 'press' ? 'chat accounts' : 'contact methods'}: add it first`,
    );
  if (row.confirmedAt) return row;
  if (!row.secret || !row.secretUntil || row.secretUntil <= now)
    return invalidField('code', 'was not sent to this account within 48 hours: have a code sent');
  if (row.wrongCodes >= MAX_WRONG_CODES)
    return new Fault('rate_limited', 'Too many wrong codes. Have another code sent.', [], 60);
  if (!isValidCode(deps.secretBox, row.id, code, row.secret)) {
    await chatAccountStore.update(workspaceId, tx, row.id, { wrongCodes: row.wrongCodes + 1 });
    return invalidField('code', 'is not the code that was sent to this account');
  }
  if (await chatAccountStore.isTaken(workspaceId, tx, memberId, name))
    return invalidField(field, 'is linked to another member of this workspace');
  await chatAccountStore.update(workspaceId, tx, row.id, { confirmedAt: now, secret: null, secretUntil: null });
  await recordAudit(deps, tx, actor, accountChange(actor, row, true));
  return Object.assign(row, { confirmedAt: now });
}
