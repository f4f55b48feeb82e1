import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { hashToken } from '../../../platform/identity/secret-token.js';
import type { Transactions } from '../../../platform/db/database.js';
import { notifyConfirmed } from '../notify-of-open-incidents.js';
import { anyRecipientStore } from './recipient-store.js';

/** The address that a link is for, with the answer of its user so far. */
export interface LinkedRecipient {
  address: string;
  state: 'pending' | 'confirmed' | 'refused';
}

/** @throws Fault not_found for a link that was replaced by a newer one, has expired or is invalid */
export async function readRecipientLink(
  deps: { db: Transactions; clock: Clock },
  token: string,
): Promise<LinkedRecipient> {
  const now = new Date(deps.clock.now());
  const row = await deps.db.read((tx) => anyRecipientStore.ofLink(tx, hashToken(token), now));
  if (!row)
    throw new Fault(
      'not_found',
      'This link was replaced by a newer one, or is older than 7 days. The sender of the request can have another one sent.',
    );
  return { address: row.address, state: row.isRefused ? 'refused' : row.isConfirmed ? 'confirmed' : 'pending' };
}

/** Confirms or refuses; the last answer counts. @throws Fault not_found as `readRecipientLink` */
export async function answerRecipientLink(
  deps: { db: Transactions; clock: Clock },
  token: string,
  isConfirmed: boolean,
): Promise<LinkedRecipient> {
  const now = new Date(deps.clock.now());
  await deps.db.transaction(async (tx) => {
    const isStored = await anyRecipientStore.answer(tx, hashToken(token), isConfirmed, now);
    const row = isStored && isConfirmed ? await anyRecipientStore.ofLink(tx, hashToken(token), now) : undefined;
    if (row) await notifyConfirmed(deps, tx, row.id);
  });
  return readRecipientLink(deps, token);
}
