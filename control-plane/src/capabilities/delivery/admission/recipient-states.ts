import type { Tx } from '../../../platform/db/database.js';
import { admissionStore } from './admission-store.js';
import {
  decideRecipientState,
  type RecipientChannel,
  type RecipientRules,
  type RecipientState,
} from './decide-recipient-state.js';

/** Returns whether addresses or numbers may be sent alerts, in the given order, whether or not a group contains them. */
export async function recipientStates(
  { recipientVerification }: RecipientRules,
  tx: Tx,
  workspaceId: string,
  channel: RecipientChannel,
  addresses: readonly string[],
): Promise<{ address: string; state: RecipientState }[]> {
  if (addresses.length === 0) return [];
  const places = addresses.map((address) => ({ workspaceId, channel, address }));
  return (await admissionStore.statusesOf(tx, places)).flatMap((status) =>
    status ? [{ address: status.address, state: decideRecipientState(status, recipientVerification) }] : [],
  );
}
