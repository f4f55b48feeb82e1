import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../platform/db/database.js';
import { providerEntityStore, type EntityKey } from './provider-store.js';

/** Anybody who reaches the loopback port may register a client: of more, those that were not used for longest go. */
const MAX_REGISTERED_CLIENTS = 1_000;
/** From its registration on a client has so long to get its first token: an hour is many sign-ins. */
const UNUSED_CLIENT_SECONDS = 3_600;

/** Keeps what the provider library gives it in PostgreSQL, so that sign-ins survive a restart. */
export function createAdapterFactory(db: Database, clock: Clock): (kind: string) => Adapter {
  return (kind) => {
    const find = async (key: EntityKey, value: string): Promise<AdapterPayload | undefined> => {
      // PostgreSQL keeps no NUL in text, so nothing has such a key; asking would be an error.
      if (value.includes('\0')) return undefined;
      const row = await db.read((tx) => providerEntityStore.find(tx, kind, key, value));
      if (!row) return undefined;
      return row.consumedAt ? { ...row.payload, consumed: Math.floor(row.consumedAt.getTime() / 1000) } : row.payload;
    };
    return {
      async upsert(id, payload, expiresIn) {
        await db.transaction(async (tx) => {
          // The library keeps clients for good.
          const seconds = kind === 'Client' ? UNUSED_CLIENT_SECONDS : expiresIn;
          if (kind === 'Client') await providerEntityStore.makeRoom(tx, kind, MAX_REGISTERED_CLIENTS - 1);
          await providerEntityStore.upsert(tx, {
            kind,
            id,
            payload,
            grantId: payload.grantId ?? null,
            userCode: payload.userCode ?? null,
            uid: payload.uid ?? null,
            expiresAt: seconds ? new Date(clock.now() + seconds * 1000) : null,
          });
        });
      },
      find: (id) => find('id', id),
      findByUid: (uid) => find('uid', uid),
      findByUserCode: (userCode) => find('user_code', userCode),
      consume: (id) => db.read((tx) => providerEntityStore.consume(tx, kind, id, clock.now())),
      destroy: (id) => db.read((tx) => providerEntityStore.delete(tx, kind, id)),
      revokeByGrantId: (grantId) => db.read((tx) => providerEntityStore.deleteByGrant(tx, grantId)),
    };
  };
}
