import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import { mergePatch } from '../../platform/http/merge-patch.js';
import type { Caller } from '../../platform/identity/caller.js';
import { goneFault } from '../plans/index.js';
import { userStore } from './user-store.js';

export const MAX_PREFERENCES_BYTES = 65_536;

export type Preferences = Record<string, unknown>;

/** Preferences that applications store for the caller. */
export async function readPreferences(deps: { db: Database }, caller: Caller): Promise<Preferences> {
  const preferences = await deps.db.read((tx) => userStore.preferences(tx, caller.userId));
  if (!preferences) throw goneFault();
  return preferences;
}

/**
 * Merges a JSON Merge Patch (RFC 7396) into the caller's preferences. Concurrent patches are serialised; none is lost.
 * @throws Fault `payload_too_large` if they would exceed 64 KiB, `precondition_failed`, `not_found`
 */
export async function changePreferences(
  deps: { db: Database },
  caller: Caller,
  patch: Preferences,
  checkPrecondition: (current: Preferences) => void = () => {},
): Promise<Preferences> {
  return deps.db.transaction(async (tx) => {
    if (!(await userStore.lock(tx, caller.userId, 'for_no_key_update'))) throw goneFault();
    const current = (await userStore.preferences(tx, caller.userId))!;
    checkPrecondition(current);
    const text = JSON.stringify(mergePatch(current, patch));
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_PREFERENCES_BYTES) {
      throw new Fault(
        'payload_too_large',
        `Preferences take at most ${MAX_PREFERENCES_BYTES} bytes of JSON, and these would be ${bytes}.`,
      );
    }
    await userStore.savePreferences(tx, caller.userId, text);
    return (await userStore.preferences(tx, caller.userId))!;
  });
}
