import { MINUTE_MS } from '@watchpost/shared/time';
import { timingSafeEqual } from 'node:crypto';
import type { Registry } from 'prom-client';
import { BoundedCache } from '@watchpost/shared/bounded-cache';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import type { Caller } from '../../platform/identity/caller.js';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { anyApiKeyStore, apiKeyStore, type UsedKeyRow } from './api-key-store.js';
import { parseApiKey } from './api-key-text.js';

const CACHED_KEYS = 10_000;
/** A revocation takes effect in every process after at most this time; the interface promises 5 s. */
const CACHE_MS = 4_000;
/** What the digest of an unknown key is compared with. */
const NO_HASH = Buffer.alloc(32);

export interface ApiKeyVerifier {
  /**
   * The caller that an API key acts for. What a key may do in its workspace depends on the member's role at the time of
   * each request, which is not looked up here.
   * @throws Fault `invalid_token` for a key that is malformed, unknown, expired or revoked; `member_suspended`
   */
  verify(text: string): Promise<Caller>;
}

interface Verified {
  caller: Caller;
  atMs: number;
  /** When the key expires, ms since the epoch. */
  endsMs: number;
}

/** Verifies API keys with one lookup each, and remembers those that hold for a moment. */
export function createApiKeyVerifier({
  db,
  clock,
  registry,
}: {
  db: Database;
  clock: Clock;
  registry: Registry;
}): ApiKeyVerifier {
  const known = new BoundedCache<string, Verified>(CACHED_KEYS);
  const outcomes = metricsOn(registry).counter(
    'watchpost_api_key_verifications_total',
    'API keys looked at, by outcome: cached, verified, refused, suspended',
    'outcome',
  );

  function refuse(message: string): Fault {
    outcomes.inc({ outcome: 'refused' });
    return new Fault('invalid_token', message);
  }

  return {
    async verify(text) {
      const parsed = parseApiKey(text);
      if (!parsed) throw refuse('This is no well-formed API key: compare it with the one that was shown to you.');
      const { prefix, hash } = parsed;
      const nowMs = clock.now();
      const id = hash.toString('base64');
      const hit = known.get(id);
      if (hit && isFresh(hit, nowMs)) {
        outcomes.inc({ outcome: 'cached' });
        return hit.caller;
      }
      known.delete(id);
      const row = await db.read((tx) => anyApiKeyStore.findByPrefix(tx, prefix));
      const isRight = timingSafeEqual(hash, row?.hash ?? NO_HASH);
      if (!row || !isRight) throw refuse('The API key is unknown or was revoked.');
      const endsMs = row.expiresAt?.getTime() ?? Infinity;
      if (nowMs >= endsMs) throw refuse('The API key has expired; create a new one.');
      if (row.isSuspended) {
        outcomes.inc({ outcome: 'suspended' });
        throw suspendedFault();
      }
      await noteUse(row, nowMs);
      const caller = callerOf(row);
      known.set(id, { caller, atMs: nowMs, endsMs });
      outcomes.inc({ outcome: 'verified' });
      return caller;
    },
  };

  /** At most one write a minute and process, and only where no other process has written the same. */
  async function noteUse({ workspaceId, id, lastUsedAt }: UsedKeyRow, nowMs: number): Promise<void> {
    const minute = new Date(minuteOf(nowMs) * MINUTE_MS);
    if (lastUsedAt !== null && lastUsedAt >= minute) return;
    await db.read((tx) => apiKeyStore.markUsed(workspaceId, tx, id, minute));
  }
}

/** Within the same minute only, so that each minute of use is noted. */
function isFresh({ atMs, endsMs }: Verified, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < CACHE_MS && minuteOf(nowMs) === minuteOf(atMs) && nowMs < endsMs;
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

function callerOf({ id, name, workspaceId, userId, scopes }: UsedKeyRow): Caller {
  return { userId, credential: { type: 'apiKey', id, name, workspaceId }, scopes: new Set(scopes) };
}

function suspendedFault(): Fault {
  return new Fault(
    'member_suspended',
    'The membership that this API key belongs to, or the account of the workspace’s owner, is suspended; ask one of its admins.',
  );
}
