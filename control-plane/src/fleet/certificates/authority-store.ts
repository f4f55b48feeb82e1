import type { Tx } from '../../db/database.js';

export interface AuthorityRow {
  id: string;
  /** DER. */
  certificate: Buffer;
  sealedKey: Buffer;
}

/** Serialises the making of the first authority over all processes. */
const AUTHORITY_LOCK = 7_761_019;

/** The newest, which signs, first. */
export async function selectAuthorities(tx: Tx): Promise<AuthorityRow[]> {
  return await tx.query<AuthorityRow>(
    'SELECT id, certificate, sealed_key AS "sealedKey" FROM certificate_authority ORDER BY created DESC, id DESC',
  );
}

/** Holds whoever else would make one until this transaction ends. */
export async function lockAuthorities(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [AUTHORITY_LOCK]);
}

export async function insertAuthority(tx: Tx, row: AuthorityRow, nowMs: number): Promise<void> {
  await tx.query('INSERT INTO certificate_authority (id, certificate, sealed_key, created) VALUES ($1, $2, $3, $4)', [
    row.id,
    row.certificate,
    row.sealedKey,
    new Date(nowMs),
  ]);
}
