import { createHash } from 'node:crypto';
import { Not } from 'typeorm';
import type { Tx } from '../../../platform/db/database.js';
import { CertificateAuthorityEntity } from './certificate.entity.js';

/** The advisory lock under which authorities are created and deleted. */
const AUTHORITY_LOCK = 7_761_019;

/** All authorities, the oldest first. The oldest signs the port's certificate, and tokens contain its pin. */
export async function selectAuthorities(tx: Tx): Promise<CertificateAuthorityEntity[]> {
  return tx.manager.find(CertificateAuthorityEntity, { order: { created: 'ASC', id: 'ASC' } });
}

/** Locks the creation and deletion of authorities until the transaction ends. */
export async function lockAuthorities(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [AUTHORITY_LOCK]);
}

export async function insertAuthority(tx: Tx, row: CertificateAuthorityEntity): Promise<void> {
  await tx.manager.insert(CertificateAuthorityEntity, row);
}

/** Deletes all authorities but one, and the certificates that the others issued. */
export async function deleteOtherAuthorities(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM agent_certificate WHERE authority_id IS DISTINCT FROM $1', [id]);
  await tx.manager.delete(CertificateAuthorityEntity, { id: Not(id) });
}

/** An agent that is locked out when the older authority is retired. */
export interface AuthorityDependent {
  id: string;
  name: string;
  region: string;
  /** `certificate`: it never used a certificate of the newer authority. `token`: its token contains the older pin. */
  why: 'certificate' | 'token';
}

/**
 * The agents that depend on another authority than this one.
 * @param renewableSince certificates that expired earlier can no longer be renewed
 */
export async function selectAuthorityDependents(
  tx: Tx,
  id: string,
  renewableSince: Date,
): Promise<AuthorityDependent[]> {
  return await tx.query<AuthorityDependent>(
    `WITH held AS (
       SELECT agent_id, bool_or(authority_id IS NOT DISTINCT FROM $1 AND first_used IS NOT NULL) AS uses_newest
         FROM agent_certificate WHERE expires > $2 GROUP BY agent_id)
     SELECT agent.id, name, region, CASE WHEN held.uses_newest IS FALSE THEN 'certificate' ELSE 'token' END AS why
       FROM agent LEFT JOIN held ON held.agent_id = agent.id
      WHERE status <> 'revoked'
        AND (held.uses_newest IS FALSE
             -- an agent without a certificate may be at a port without TLS, where it sends its token each time
             OR token_spent IS NULL AND (last_seen IS NULL OR held.agent_id IS NOT NULL))
      ORDER BY region, name`,
    [id, renewableSince],
  );
}

/**
 * The pin of the authority that signs the port's certificate, by which an agent recognises it on its first connection;
 * null before any process has opened the port for agents.
 */
export async function readAuthorityPin(tx: Tx): Promise<string | null> {
  const [oldest] = await selectAuthorities(tx);
  return oldest ? authorityPin(oldest.certificate) : null;
}

/**
 * @param certificate DER
 * @returns its SHA-256 in base64url
 */
export function authorityPin(certificate: Buffer): string {
  return createHash('sha256').update(certificate).digest('base64url');
}
