import { DAY_MS } from '@watchpost/shared/time';
import { anyApiKeyStore } from './api-key-store.js';
import type { ApiKeyDeps } from './api-keys.js';

/** An expired key is listed for this time, so that its owner sees why it is refused. */
export const EXPIRED_DAYS = 30;
const BATCH = 1_000;

/** Deletes keys that expired 30 days ago. @returns how many */
export async function purgeApiKeys(deps: ApiKeyDeps): Promise<number> {
  const before = new Date(deps.clock.now() - EXPIRED_DAYS * DAY_MS);
  let total = 0;
  for (;;) {
    const purged = await deps.db.transaction((tx) => anyApiKeyStore.purge(tx, before, BATCH));
    total += purged;
    if (purged < BATCH) return total;
  }
}
