import { invalidFields } from '@watchpost/shared/fault';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { Tx } from '../../../platform/db/database.js';
import { hashImportedToken, newPingToken } from './ping-token.js';
import { pingTokenStore } from './ping-token-store.js';

/**
 * Gives a new heartbeat its ping token, and the one that it had in another product.
 * @throws Fault validation_failed where the imported token leads to another monitor
 */
export async function givePingTokens(
  { secretBox }: { secretBox: SecretBox },
  tx: Tx,
  workspaceId: string,
  monitorId: string,
  importedToken: string | null,
): Promise<void> {
  await pingTokenStore.replace(workspaceId, tx, monitorId, newPingToken(secretBox, monitorId));
  if (importedToken === null) return;
  if (await pingTokenStore.addImported(workspaceId, tx, monitorId, hashImportedToken(importedToken))) return;
  throw invalidFields([
    {
      path: 'heartbeat.importedToken',
      message: 'leads to another monitor already: leave it out and use the ping URL, or delete the other monitor',
    },
  ]);
}
