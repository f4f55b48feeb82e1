import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import { ProviderRecordEntity } from './provider.entity.js';

/** One thing that the provider library keeps; what is in `payload` is the library's matter. */
export interface ProviderEntity {
  kind: string;
  id: string;
  payload: Record<string, unknown>;
  grantId: string | null;
  userCode: string | null;
  uid: string | null;
  /** null: for good */
  expiresAt: Date | null;
}

interface StoredEntity {
  payload: Record<string, unknown>;
  consumedAt: Date | null;
}

const PURGE_BATCH = 5_000;

/** The library asks by kind and one of these. */
export type EntityKey = 'id' | 'user_code' | 'uid';

/** Sessions, grants, codes, tokens and registered clients of the embedded provider. */
export const providerEntityStore = {
  async upsert(tx: Tx, entity: ProviderEntity): Promise<void> {
    await tx.query(
      `INSERT INTO provider_entity (kind, id, payload, grant_id, user_code, uid, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT ON CONSTRAINT provider_entity_pkey DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
         user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
      [entity.kind, entity.id, jsonText(entity.payload), entity.grantId, entity.userCode, entity.uid, entity.expiresAt],
    );
  },

  async find(tx: Tx, kind: string, key: EntityKey, value: string): Promise<StoredEntity | undefined> {
    return tx.one(
      `SELECT payload, consumed_at AS "consumedAt" FROM provider_entity WHERE kind = $1 AND ${key} = $2 LIMIT 1`,
      [kind, value],
    );
  },

  async consume(tx: Tx, kind: string, id: string, nowMs: number): Promise<void> {
    await tx.manager.update(ProviderRecordEntity, { kind, id }, { consumedAt: new Date(nowMs) });
  },

  async delete(tx: Tx, kind: string, id: string): Promise<void> {
    await tx.manager.delete(ProviderRecordEntity, { kind, id });
  },

  async deleteByGrant(tx: Tx, grantId: string): Promise<void> {
    await tx.manager.delete(ProviderRecordEntity, { grantId });
  },

  /** Leaves at most so many of a kind, those that hold longest. */
  async makeRoom(tx: Tx, kind: string, most: number): Promise<void> {
    await tx.query(
      `DELETE FROM provider_entity WHERE kind = $1 AND id IN (
         SELECT id FROM provider_entity WHERE kind = $1 ORDER BY expires_at DESC NULLS FIRST OFFSET $2)`,
      [kind, most],
    );
  },

  /** A registered client was given a token: it holds until then. */
  async keepClient(tx: Tx, id: string, until: Date): Promise<void> {
    await tx.query(`UPDATE provider_entity SET expires_at = $2 WHERE kind = 'Client' AND id = $1`, [id, until]);
  },

  /** Clients of before there was an end to them get one. */
  async endClientsWithoutEnd(tx: Tx, at: Date): Promise<void> {
    await tx.query(`UPDATE provider_entity SET expires_at = $1 WHERE kind = 'Client' AND expires_at IS NULL`, [at]);
  },

  /** @returns how many expired rows it removed, at most 5,000 */
  async deleteExpired(tx: Tx, nowMs: number): Promise<number> {
    return tx.execute(
      `DELETE FROM provider_entity WHERE (kind, id) IN (
         SELECT kind, id FROM provider_entity WHERE expires_at <= $1 LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED
       )`,
      [new Date(nowMs)],
    );
  },
};

/** Somebody who can sign in at the embedded provider; `id` is the `sub` of the tokens. */
export interface ProviderAccount {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
}

const ACCOUNT = 'id, email, name, password_hash AS "passwordHash"';

export const providerAccountStore = {
  /** @returns whether it was made; false where the address has an account */
  async insert(tx: Tx, account: ProviderAccount, nowMs: number): Promise<boolean> {
    const made = await tx.execute(
      `INSERT INTO provider_account (id, email, name, password_hash, created) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (lower(email)) DO NOTHING`,
      [account.id, account.email, account.name, account.passwordHash, new Date(nowMs)],
    );
    return made > 0;
  },

  async find(tx: Tx, id: string): Promise<ProviderAccount | undefined> {
    return tx.one(`SELECT ${ACCOUNT} FROM provider_account WHERE id = $1`, [id]);
  },

  async findByEmail(tx: Tx, email: string): Promise<ProviderAccount | undefined> {
    return tx.one(`SELECT ${ACCOUNT} FROM provider_account WHERE lower(email) = lower($1)`, [email]);
  },
};

export interface ProviderSetupRow {
  secrets: Buffer;
  issuer: string;
  audience: string;
}

/** What was made at the first start: one row. */
export const providerSetupStore = {
  /** @returns whether this call made it; another process that makes it at the same time is waited for */
  async insert(tx: Tx, row: ProviderSetupRow, nowMs: number): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO provider_setup (secrets, issuer, audience, created) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT provider_setup_pkey DO NOTHING`,
      [row.secrets, row.issuer, row.audience, new Date(nowMs)],
    );
    return inserted > 0;
  },

  async find(tx: Tx): Promise<ProviderSetupRow | undefined> {
    return tx.one('SELECT secrets, issuer, audience FROM provider_setup');
  },

  async noteAddress(tx: Tx, issuer: string, audience: string): Promise<void> {
    await tx.query('UPDATE provider_setup SET issuer = $1, audience = $2', [issuer, audience]);
  },
};
