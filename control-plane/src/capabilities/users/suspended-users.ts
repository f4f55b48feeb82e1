import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { type Clock, isWithin } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import { userStore } from './user-store.js';

const CACHED = 10_000;
/** The operator's command runs in another process and takes effect here after at most this time. */
const CACHE_MS = 2_000;

export class SuspendedUsers {
  readonly #known = new BoundedCache<string, { isSuspended: boolean; atMs: number }>(CACHED);

  constructor(private readonly deps: { db: Database; clock: Clock }) {}

  /** @throws Fault `member_suspended` */
  async refuse(userId: string): Promise<void> {
    const { db, clock } = this.deps;
    const nowMs = clock.now();
    let known = this.#known.get(userId);
    if (!known || !isWithin(CACHE_MS, nowMs, known.atMs)) {
      known = { isSuspended: await db.read((tx) => userStore.isSuspended(tx, userId)), atMs: nowMs };
      this.#known.set(userId, known);
    }
    if (known.isSuspended)
      throw new Fault(
        'member_suspended',
        'The operator of this service has suspended your account; nothing of it is lost. Ask the operator.',
      );
  }
}
