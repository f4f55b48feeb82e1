import { Fault, invalidField } from '@watchpost/shared/fault';
import type { Tx } from '../../../platform/db/database.js';
import type { AlertDeps } from '../../delivery/index.js';
import { isValidCode, MAX_WRONG_CODES } from './confirmation-secrets.js';
import { notifyConfirmed } from '../notify-of-open-incidents.js';
import { recipientStore } from './recipient-store.js';

/** The result of a code. A fault is thrown only after the transaction has counted the attempt. */
type Attempt = 'confirmed' | 'wrong' | 'none' | 'used up';

/**
 * Confirms a phone number by the code that was sent to it. A confirmed number stays confirmed.
 * @param requireNumber throws where the caller may not confirm this number
 * @param onConfirmed called in the transaction that confirms the number, if it was not confirmed before
 * @throws Fault validation_failed for a wrong code or where none was sent, rate_limited after too many wrong codes
 */
export async function confirmNumber(
  deps: AlertDeps,
  workspaceId: string,
  code: string,
  requireNumber: (tx: Tx) => Promise<string>,
  onConfirmed: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const attempt = await deps.db.transaction(async (tx) =>
    attemptOf(deps, tx, workspaceId, { code, phoneNumber: await requireNumber(tx), onConfirmed }),
  );
  switch (attempt) {
    case 'confirmed':
      return;
    case 'wrong':
      throw invalidField('code', 'is not the code that was sent to this number');
    case 'none':
      throw invalidField('code', 'was not sent to this number within 48 hours: have a code sent');
    case 'used up':
      throw new Fault('rate_limited', 'Too many wrong codes. Have another code sent.', [], 60);
  }
}

async function attemptOf(
  { clock, secretBox }: AlertDeps,
  tx: Tx,
  workspaceId: string,
  { code, phoneNumber, onConfirmed }: { code: string; phoneNumber: string; onConfirmed: (tx: Tx) => Promise<void> },
): Promise<Attempt> {
  const now = new Date(clock.now());
  const row = await recipientStore.lock(workspaceId, tx, 'sms', phoneNumber);
  if (row?.isConfirmed) return 'confirmed';
  if (!row?.secret || !row.secretUntil || row.secretUntil <= now) return 'none';
  if (row.wrongCodes >= MAX_WRONG_CODES) return 'used up';
  if (!isValidCode(secretBox, row.id, code, row.secret)) {
    await recipientStore.countWrongCode(workspaceId, tx, row.id);
    return 'wrong';
  }
  await recipientStore.confirm(workspaceId, tx, row.id, now);
  await notifyConfirmed({ clock }, tx, row.id);
  await onConfirmed(tx);
  return 'confirmed';
}
