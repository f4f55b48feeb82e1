import { Fault, invalidField } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { AlertDeps } from '../../delivery/index.js';
import type { ChatAccount, ChatAccountInput } from '../../workspaces/index.js';
import { lockWorkspaceAs } from '../../workspaces/index.js';
import { isValidCode, MAX_WRONG_CODES } from '../consent/confirmation-secrets.js';
import { chatAccountStore } from './chat-account-store.js';
import { chatAccountChange, describeChatAccount } from './link-chat-accounts.js';

type ConfirmDeps = Pick<AlertDeps, 'db' | 'clock' | 'secretBox'>;

/**
 * Links a chat account to the caller by the code that was sent there. A linked one stays linked.
 * @throws Fault validation_failed for a wrong code, where none was sent, or where the account is linked to another member;
 * rate_limited after too many wrong codes
 */
export async function confirmChatAccount(
  deps: ConfirmDeps,
  actor: Actor,
  input: ChatAccountInput & { code: string },
): Promise<ChatAccount> {
  // A wrong code is counted: the fault is thrown after the commit.
  const attempt = await deps.db.transaction((tx) => attemptOf(deps, tx, actor, input));
  if (attempt instanceof Fault) throw attempt;
  return attempt;
}

async function attemptOf(
  deps: ConfirmDeps,
  tx: Tx,
  actor: Actor,
  { type, id, code }: ChatAccountInput & { code: string },
): Promise<ChatAccount | Fault> {
  const { workspaceId, memberId } = actor.workspace;
  const now = new Date(deps.clock.now());
  // Two members who confirm the same account take turns.
  await lockWorkspaceAs(tx, actor, 'Viewer');
  const name = { type: type as ActionGroupType, accountId: id };
  const row = await chatAccountStore.lockOwn(workspaceId, tx, memberId, name);
  if (!row) return invalidField('id', 'is not among your chat accounts: add it first');
  if (row.confirmedAt) return describeChatAccount(row);
  if (!row.secret || !row.secretUntil || row.secretUntil <= now)
    return invalidField('code', 'was not sent to this account within 48 hours: have a code sent');
  if (row.wrongCodes >= MAX_WRONG_CODES)
    return new Fault('rate_limited', 'Too many wrong codes. Have another code sent.', [], 60);
  if (!isValidCode(deps.secretBox, row.id, code, row.secret)) {
    await chatAccountStore.update(workspaceId, tx, row.id, { wrongCodes: row.wrongCodes + 1 });
    return invalidField('code', 'is not the code that was sent to this account');
  }
  if (await chatAccountStore.isTaken(workspaceId, tx, memberId, name))
    return invalidField('id', 'is linked to another member of this workspace');
  await chatAccountStore.update(workspaceId, tx, row.id, { confirmedAt: now, secret: null, secretUntil: null });
  await recordAudit(deps, tx, actor, chatAccountChange('member.chat_account_linked', actor, row));
  return describeChatAccount({ ...name, confirmedAt: now });
}
