import { Fault } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { type AlertDeps, recipientStates } from '../../delivery/index.js';
import { confirmNumber } from './confirm-number.js';
import { contactStore } from './recipient-store.js';
import { repeatConfirmationRequest } from './repeat-confirmation-request.js';

export interface OwnNumber {
  phoneNumber: string;
  isConfirmed: boolean;
}

/** The phone number in the caller's preferences, and whether pages may be sent to it. */
export async function readOwnNumber(
  deps: Pick<AlertDeps, 'db' | 'recipientVerification'>,
  { workspace, caller }: Actor,
): Promise<{ phoneNumber: string | null; isConfirmed: boolean }> {
  const { workspaceId } = workspace;
  return deps.db.read(async (tx) => {
    const phoneNumber = await contactStore.phoneNumberOfMember(workspaceId, tx, caller.userId);
    if (phoneNumber === null) return { phoneNumber, isConfirmed: false };
    const [own] = await recipientStates(deps, tx, workspaceId, 'sms', [phoneNumber]);
    return { phoneNumber, isConfirmed: own?.state === 'allowed' };
  });
}

/** Has a code sent to the phone number in the caller's preferences. @throws Fault as `repeatConfirmationRequest` */
export async function sendOwnCode(deps: AlertDeps, actor: Actor): Promise<OwnNumber> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const phoneNumber = await requireOwnNumber(tx, actor);
    await repeatConfirmationRequest(deps, tx, workspaceId, 'sms', phoneNumber, '');
    return { phoneNumber, isConfirmed: false };
  });
}

/** Confirms the phone number in the caller's preferences by that code. @throws Fault as `confirmNumber` */
export async function confirmOwnNumber(deps: AlertDeps, actor: Actor, code: string): Promise<OwnNumber> {
  const { workspaceId } = actor.workspace;
  let phoneNumber = '';
  await confirmNumber(deps, workspaceId, code, async (tx) => (phoneNumber = await requireOwnNumber(tx, actor)));
  return { phoneNumber, isConfirmed: true };
}

async function requireOwnNumber(tx: Tx, { workspace, caller }: Actor): Promise<string> {
  const number = await contactStore.phoneNumberOfMember(workspace.workspaceId, tx, caller.userId);
  if (number !== null) return number;
  const path = 'notificationPreferences.phoneNumber';
  throw new Fault('validation_failed', 'Set your phone number in your notification preferences first.', [
    { path, message: 'is not set' },
  ]);
}
