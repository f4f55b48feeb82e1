import type { Tx } from '../../../platform/db/database.js';

export interface AuthorityRow {
  id: string;
  /** DER. */
  certificate: Buffer;
  sealedKey: Buffer;
  created: Date;
}

/** Serialises the making of authorities over all processes. */
const AUTHORITY_LOCK = 7_761_019;

/** The oldest, which signs the port's certificate and stands in tokens, first. */
export async function selectAuthorities(tx: Tx): Promise<AuthorityRow[]> {
  return await tx.query<AuthorityRow>(
    'SELECT id, certificate, sealed_key AS "sealedKey", created FROM certificate_authority ORDER BY created, id',
  );
}

/** Holds whoever else would make or end one until this transaction ends. */
export async function lockAuthorities(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [AUTHORITY_LOCK]);
}

export async function insertAuthority(tx: Tx, row: AuthorityRow): Promise<void> {
  await tx.query('INSERT INTO certificate_authority (id, certificate, sealed_key, created) VALUES ($1, $2, $3, $4)', [
    row.id,
    row.certificate,
    row.sealedKey,
    row.created,
  ]);
}

/** Ends all authorities but one, and the certificates that are not of it. */
export async function deleteOtherAuthorities(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM agent_certificate WHERE authority_id IS DISTINCT FROM $1', [id]);
  await tx.query('DELETE FROM certificate_authority WHERE id <> $1', [id]);
}

/** An agent that would be locked out, and why: it has a token that names the older authority, or never came with a certificate of the newer. */
export interface AuthorityDependent {
  id: string;
  name: string;
  region: string;
  why: 'certificate' | 'token';
}

/**
 * Who depends on an authority other than this one.
 * @param renewableSince certificates that expired before can be renewed no more
 */
export async function selectAuthorityDependents(
  tx: Tx,
  id: string,
  renewableSince: Date,
): Promise<AuthorityDependent[]> {
  return await tx.query<AuthorityDependent>(
    `WITH held AS (
       SELECT agent_id, bool_or(authority_id IS NOT DISTINCT FROM $1 AND shown IS NOT NULL) AS "isNewShown"
         FROM agent_certificate WHERE expires > $2 GROUP BY agent_id)
     SELECT agent.id, name, region,
            CASE WHEN held."isNewShown" IS FALSE THEN 'certificate' ELSE 'token' END AS why
       FROM agent LEFT JOIN held ON held.agent_id = agent.id
      WHERE status <> 'revoked'
        AND (held."isNewShown" IS FALSE
             -- without a certificate it may be at a port without TLS, where it shows its token each time
             OR token_spent IS NULL AND (last_seen IS NULL OR held.agent_id IS NOT NULL))
      ORDER BY region, name`,
    [id, renewableSince],
  );
}
